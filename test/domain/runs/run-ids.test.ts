import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRunWord, readRunIds } from '../../../src/domain/runs/run-ids.js'
import { UserError } from '../../../src/errors.js'
import { testAny } from '../../cases.js'

test('a word can name runs or a group by their numbers, or be the last one', () => {
  for (const word of '17 17.6 17. 17.x 5-9 latest @ latest.6'.split(' '))
    expect([word, isRunWord(word)]).toEqual([word, true])
  for (const word of ' x latest_model lates 17x 1e3 -17 .6 5- 5-9-2 @home'.split(' '))
    expect([word, isRunWord(word)]).toEqual([word, false])
})

describe('typed ids of runs', () => {
  const known = [9, 1, 7, 3, 12]

  test.each([
    ['12 3', '12 3'],
    ['3 5-9', '3 7 9'],
    ['007 3-3', '7 3'],
    ['1-9 3 7-12', '1 3 7 9 12'],
    // Whoever asks says that there is no run 4: here it is only read.
    ['4', '4'],
  ])('%s are %s', (words, ids) => {
    expect(readRunIds(words.split(' '), known)).toEqual(ids.split(' '))
  })

  test.each(['x', '', '-3', '3-', '3-x', '3.5', '1-2-3', ' 3', '+3'])('%j is not an id', word => {
    const error = new UserError(`'${word}' is not the id of a run`, 'write ids and ranges, as in: 3 5-9')
    expect(() => readRunIds(['1', word], known)).toThrow(error)
  })

  test.each(['4-6', '9-5', '13-20'])('%j holds no run', word => {
    expect(() => readRunIds([word], known)).toThrow(new UserError(`there is no run in ${word}`))
  })

  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1 })
  testAny([ids, fc.nat(60), fc.nat(60)])('a range names exactly the runs in it, each once', (all, first, last) => {
    const inside = all.filter(id => id >= first && id <= last).sort((a, b) => a - b)
    fc.pre(inside.length > 0)
    const expected = inside.map(String)
    expect(readRunIds([`${first}-${last}`], all)).toEqual(expected)
    expect(readRunIds([...expected, `${first}-${last}`], all)).toEqual(expected)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRunWord, readRunIds } from '../../../src/domain/runs/run-ids.js'
import { UserError } from '../../../src/errors.js'

const known = [9, 1, 7, 3, 12]

describe('a word', () => {
  test.each(['17', '17.6', '17.', '17.x', '5-9', 'latest', '@', 'latest.6', '@.6'])('%j can name runs', word => {
    expect(isRunWord(word)).toBe(true)
  })

  test.each(['', 'x', 'latest_model', 'lates', '17x', '1e3', '-17', '.6', '5-', '5-9-2', '@home'])(
    '%j cannot',
    word => {
      expect(isRunWord(word)).toBe(false)
    },
  )
})

describe('typed ids of runs', () => {
  test.each([
    [['3'], ['3']],
    [
      ['12', '3'],
      ['12', '3'],
    ],
    [
      ['3', '5-9'],
      ['3', '7', '9'],
    ],
    [['007'], ['7']],
    [['3-3'], ['3']],
    [
      ['1-9', '3', '7-12'],
      ['1', '3', '7', '9', '12'],
    ],
    // Whoever asks says that there is no run 4: here it is only read.
    [['4'], ['4']],
    [[], []],
  ])('%j', (words, ids) => {
    expect(readRunIds(words, known)).toEqual(ids)
  })

  test.each(['x', '', '-3', '3-', '3-x', '3.5', '3,5', '1-2-3', ' 3', '+3', '3.4'])('%j is not an id', word => {
    expect(() => readRunIds(['1', word], known)).toThrow(
      expect.objectContaining({
        message: `'${word}' is not the id of a run`,
        hint: 'write ids and ranges, as in: 3 5-9',
      }),
    )
    expect(() => readRunIds([word], known)).toThrow(UserError)
  })

  test.each(['4-6', '9-5', '13-20'])('%j holds no run', word => {
    expect(() => readRunIds([word], known)).toThrow(new UserError(`there is no run in ${word}`))
  })

  test('a range names exactly the runs in it, each once', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1 })
    fc.assert(
      fc.property(ids, fc.nat({ max: 60 }), fc.nat({ max: 60 }), (all, first, last) => {
        const inside = all.filter(id => id >= first && id <= last).sort((a, b) => a - b)
        fc.pre(inside.length > 0)
        const expected = inside.map(String)
        expect(readRunIds([`${first}-${last}`], all)).toEqual(expected)
        expect(readRunIds([...expected, `${first}-${last}`], all)).toEqual(expected)
      }),
    )
  })
})

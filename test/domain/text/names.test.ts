import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { distance } from '../../../src/domain/text/distance.js'
import { checkName, isOneLetterOff, nearest, shortened } from '../../../src/domain/text/names.js'
import { UserError } from '../../../src/errors.js'
import { testAny } from '../../cases.js'

describe('a name', () => {
  const letters = [...'ABCXYZabcxyz0189']
  const others = fc.array(fc.constantFrom(...letters, '.', '_', '-'), { maxLength: 63 }).map(parts => parts.join(''))
  const valid = fc.tuple(fc.constantFrom(...letters), others).map(parts => parts.join(''))
  testAny([valid])('is a letter or digit and up to 63 letters, digits, dots, underscores and dashes', name => {
    expect(checkName('experiment', name)).toBe(name)
  })

  test.each(['', ' ', '.hidden', '-x', '_x', 'a b', 'a/b', '../up', 'naïve', 'a\n', 'a\0b', 'x'.repeat(65)])(
    'is not %j, and the refusal tells the rule',
    name => {
      const attempt = () => checkName('dataset', name)
      expect(attempt).toThrow(UserError)
      expect(attempt).toThrow(/cannot be the name of a dataset/)
      expect(attempt).toThrow(expect.objectContaining({ hint: expect.stringMatching(/A-Z or a-z.*at most 64/) }))
    },
  )

  test('that is refused is shown on one line, shortened if it is long', () => {
    const error = `'${'é'.repeat(39)}…' cannot be the name of an experiment`
    expect(() => checkName('experiment', 'é'.repeat(5000))).toThrow(error)
    expect(() => checkName('experiment', 'a\nb')).toThrow("'a\\nb' cannot")
  })

  testAny([fc.string({ unit: 'binary-ascii', maxLength: 200 })])('is shortened to one line of 40 characters', text => {
    expect([...shortened(text)].length).toBeLessThanOrEqual(40)
    expect(shortened(text)).not.toMatch(/[\n\r\0]/)
  })
})

describe('the nearest name', () => {
  const names = ['summary_iris', 'train', 'plot', 'Big_Model', 'summary_iris_long']
  test.each([
    ['summary_iris', ['summary_iri', 'sumary_irsi', 'SUMMARY_IRIS', 'summ']],
    ['train', ['trian', 'rtain', 'tran']],
    ['Big_Model', ['big_model']],
    ['plot', ['pl']],
    [null, ['tarni', 'p', 'post', 'evaluate', '']],
  ])('is %s for %j', (expected, typed) => {
    for (const name of typed) expect([name, nearest(name, names)]).toEqual([name, expected])
  })

  const long = fc.stringMatching(/^[a-z]{4,20}$/)
  testAny([long, fc.nat()])('is found after any single slip in four letters or more', (name, place) => {
    const at = place % (name.length - 1)
    const exchanged = name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2)
    expect(nearest(name.slice(0, at) + name.slice(at + 1), [name])).toBe(name)
    expect(nearest(exchanged, [name])).toBe(name)
    expect(nearest(name, [])).toBeNull()
  })
})

test('texts of very different lengths are not one letter off, however long', () => {
  expect(isOneLetterOff('run', 'x'.repeat(1e8))).toBe(false)
})

describe('the distance of two texts', () => {
  test.each([
    ['', 'run', 3],
    ['rnu', 'run', 1],
    ['urn', 'run', 1],
    ['rn', 'run', 1],
    ['rum', 'run', 1],
    ['nur', 'run', 2],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('%j and %j is %d', (one, other, expected) => {
    expect(distance(one, other)).toBe(expected)
    expect(isOneLetterOff(one, other)).toBe(expected === 1)
  })

  const text = fc.stringMatching(/^[abc]{0,8}$/)
  testAny([text, text])('is the same in both directions, and 0 only for equal texts', (one, other) => {
    const slips = distance(one, other)
    expect(distance(other, one)).toBe(slips)
    expect(slips === 0).toBe(one === other)
    expect(slips).toBeLessThanOrEqual(Math.max(one.length, other.length))
  })
})

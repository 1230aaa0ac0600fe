import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distance } from '../../../src/domain/text/distance.js'
import { checkName, isOneLetterOff, nearest, shortened } from '../../../src/domain/text/names.js'
import { UserError } from '../../../src/errors.js'
import { testAny } from '../../cases.js'

const LETTERS = [...'ABCXYZabcxyz0189']
const REST = [...LETTERS, '.', '_', '-']

describe('checkName', () => {
  const rest = fc.array(fc.constantFrom(...REST), { maxLength: 63 }).map(characters => characters.join(''))
  testAny([fc.constantFrom(...LETTERS), rest])(
    'accepts every name of a letter or digit, then letters, digits, dots, underscores and dashes, at most 64',
    (first, others) => {
      expect(checkName('experiment', first + others)).toBe(first + others)
    },
  )

  it.each(['', ' ', '.hidden', '-x', '_x', 'a b', 'a/b', '../up', 'naïve', 'a\n', 'a\0b', 'x'.repeat(65)])(
    'refuses %j and tells the rule',
    name => {
      const attempt = () => checkName('dataset', name)
      expect(attempt).toThrow(UserError)
      expect(attempt).toThrow(/cannot be the name of a dataset/)
      expect(attempt).toThrow(expect.objectContaining({ hint: expect.stringMatching(/A-Z or a-z.*at most 64/) }))
    },
  )

  it.each([
    ['experiment', 'an experiment'],
    ['action', 'an action'],
    ['document', 'a document'],
    ['template', 'a template'],
  ] as const)('says of what kind of thing %s it is', (kind, shown) => {
    expect(() => checkName(kind, '?')).toThrow(`'?' cannot be the name of ${shown}`)
  })

  it('shows a long name shortened, on one line', () => {
    const error = `'${'é'.repeat(39)}…' cannot be the name of an experiment`
    expect(() => checkName('experiment', 'é'.repeat(5000))).toThrow(error)
    expect(() => checkName('experiment', 'a\nb')).toThrow("'a\\nb' cannot")
  })
})

describe('shortened', () => {
  testAny([fc.string({ unit: 'binary-ascii', maxLength: 200 })])(
    'is one line of at most 40 characters for any text',
    text => {
      expect([...shortened(text)].length).toBeLessThanOrEqual(40)
      expect(shortened(text)).not.toMatch(/[\n\r\0]/)
    },
  )
})

describe('nearest', () => {
  const names = ['summary_iris', 'train', 'plot', 'Big_Model', 'summary_iris_long']
  it.each([
    ['summary_iri', 'summary_iris'],
    ['sumary_irsi', 'summary_iris'],
    ['trian', 'train'],
    ['rtain', 'train'],
    ['tarni', null],
    ['tran', 'train'],
    ['SUMMARY_IRIS', 'summary_iris'],
    ['big_model', 'Big_Model'],
    ['summ', 'summary_iris'],
    ['pl', 'plot'],
    ['p', null],
    ['post', null],
    ['evaluate', null],
    ['', null],
  ])('for %j it is %j', (name, expected) => {
    expect(nearest(name, names)).toBe(expected)
  })

  testAny([fc.stringMatching(/^[a-z]{4,20}$/), fc.nat()])(
    'finds a name of four letters or more after any single slip, and none if there are no names',
    (name, at) => {
      const slip = at % name.length
      expect(nearest(name.slice(0, slip) + name.slice(slip + 1), [name])).toBe(name)
      expect(nearest(exchanged(name, slip % (name.length - 1)), [name])).toBe(name)
      expect(nearest(name, [])).toBeNull()
    },
  )
})

/** The text with a letter and the next one exchanged. */
function exchanged(text: string, at: number): string {
  return text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2)
}

describe('the distance of two texts', () => {
  it.each([
    ['', '', 0],
    ['', 'run', 3],
    ['run', 'run', 0],
    ['rnu', 'run', 1],
    ['urn', 'run', 1],
    ['rn', 'run', 1],
    ['rune', 'run', 1],
    ['rum', 'run', 1],
    ['nur', 'run', 2],
    ['trian', 'train', 1],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('%j and %j is %d', (one, other, expected) => {
    expect(distance(one, other)).toBe(expected)
  })

  const text = fc.stringMatching(/^[abc]{0,8}$/)
  testAny([text, text])(
    'is the same in both directions, 0 only for equal texts, and at most the length of the longer one',
    (one, other) => {
      const slips = distance(one, other)
      expect(distance(other, one)).toBe(slips)
      expect(slips === 0).toBe(one === other)
      expect(slips).toBeLessThanOrEqual(Math.max(one.length, other.length))
    },
  )
})

describe('one letter off', () => {
  it.each([
    ['--runner', '--runer', true],
    ['--runner', '--runners', true],
    ['--dry_run', '--dry-run', true],
    ['--runner', '--runner', false],
    ['--runner', '--runenr', true],
    ['--runner', '--runrne', false],
    ['--runner', '--rune', false],
  ])('of %j is %j: %j', (one, other, expected) => {
    expect(isOneLetterOff(one, other)).toBe(expected)
    expect(isOneLetterOff(other, one)).toBe(expected)
  })
})

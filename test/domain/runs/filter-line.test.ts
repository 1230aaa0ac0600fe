import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LineFields, readFilterLine } from '../../../src/domain/runs/filter-line.js'
import { UserError } from '../../../src/errors.js'
import { testAny } from '../../cases.js'

const row = {
  tags: ['beta', 'a,b', 'two words', 'x <= "1'],
  status: 'failed',
  acc: 0.91,
  parameters: { '--lr': '0.1', '--layers': '1,2', '--fast': '', '--note': 'p > q' } as Record<string, string>,
}

const known: LineFields<typeof row> = {
  fields: {
    tag: value => each => each.tags.includes(value),
    status(value) {
      if (!['failed', 'lost', 'finished'].includes(value)) throw new UserError(`${value}: unknown`)
      return each => each.status === value
    },
  },
  parameter: (option, value) => each =>
    option === null ? Object.values(each.parameters).includes(value) : each.parameters[option] === value,
  metric: condition => each => condition.isMet(each.acc),
  text: ({ status }) => `run is ${status}, a != b`,
  ...{ sortings: ['id', 'duration'], metrics: ['acc'] },
}

test.each<[string, boolean]>([
  ['', true],
  ['tag:alpha,beta', true],
  ['tag:alpha,gamma', false],
  ['tag:a,b', true],
  ["tag:'two words'", true],
  ['status:lost,failed', true],
  ['status:lost status:failed', true],
  ['status:failed tag:beta', true],
  ['--lr:0.1', true],
  ['--lr=0.1', true],
  ['--lr:0.2,0.1', true],
  ['--layers:1,2', true],
  ['--fast', true],
  ['param:0.3,0.1', true],
  ['acc>0.9', true],
  ['acc > 0.9', true],
  ['acc != 0.92', true],
  ['acc != 0.91', false],
  ['acc > "0.9"', true],
  ['"a != b"', true],
  ['a\\ \\!\\=\\ b', true],
  ['"a!=b"', false],
  ['tag:"x <= \\"1"', true],
  ['--note:"p > q"', true],
  ['--note:"p>q"', false],
  ['"a != b" acc > 0.9 tag:"x <= \\"1"', true],
  ['RUN failed', true],
  ['finished', false],
  ['sort:-acc', true],
])('the line %j keeps a row: %s', (line, isKept) => {
  expect(readFilterLine(line, known).keeps(row)).toBe(isKept)
})

test.each<[string, string | null, boolean, boolean]>([
  ['', null, true, false],
  ['sort:id', 'id', true, false],
  ['sort:-acc', '-acc', true, true],
  ['acc>1', null, false, true],
  ['word', null, false, false],
])('the line %j is sorted by %s', (line, sort, keepsAll, measures) => {
  expect(readFilterLine(line, known)).toMatchObject({ sort, keepsAll, measures })
})

test('metrics that are not known beforehand are accepted', () => {
  expect(readFilterLine('loss>1 sort:loss', { ...known, metrics: null }).sort).toBe('loss')
})

test.each([
  ['status:sad', 'sad: unknown'],
  ['loss>1', 'loss>1: no experiment says when loss is best'],
  ['acc>high', 'acc>high: not a condition'],
  ['sort:size', 'sort:size: not a column'],
  ['sort:', 'sort:: not a column'],
  ["tag:'open", 'is not closed'],
  ['acc > 0 "a = b', 'is not closed'],
])('the line %j is refused: %s', (line, reason) => {
  expect(() => readFilterLine(line, known)).toThrow(reason)
})

testAny([fc.string({ unit: 'grapheme' })])('whatever is typed is understood or refused with a reason', line => {
  try {
    readFilterLine(line, known).keeps(row)
  } catch (error) {
    expect(error).toBeInstanceOf(UserError)
  }
})

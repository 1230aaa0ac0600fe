import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bestOf, cellValue } from '../../../src/domain/results/cell-value.js'
import * as compare from '../../../src/domain/results/compare.js'
import { spellingNote } from '../../../src/domain/results/comparison/spellings.js'
import { seriesOf } from '../../../src/domain/results/metrics.js'
import { rowsOf, testAny } from '../../cases.js'

type Group = compare.GroupResult
const { compareGroups, looksLikeSeed } = compare
const plain = { by: null, over: [] }

/** A group that finished, or with a cause one that did not. */
function group(parameters: Group['parameters'], index = 0, facts: Partial<Group> = {}): Group {
  const state = { state: facts.cause ? 'failed' : 'finished', cause: null } as const
  return { run: 1, index, parameters, ...state, started: 1, seconds: 1, metrics: {}, ...facts }
}

/** A group for each value of a parameter. */
function groupsWith(name: string, values: readonly Group['parameters'][string][]): Group[] {
  return values.map((value, index) => group({ [name]: value }, index))
}

/** The cells of a comparison, with the groups in them: `a 0: 1.0 1.1`. */
function cells(groups: readonly Group[], grouping: Partial<compare.Grouping> = {}): string[] {
  return compareGroups(groups, { ...plain, ...grouping }).cells.map(({ parameters, groups: those }) =>
    [`${parameters.join(' ')}:`, ...those.map(({ run, index }) => `${run}.${index}`)].join(' '),
  )
}

const grid = ['a 0', 'a 1', 'a 2', 'b 0', 'b 1', 'b 2'].map((words, index) => {
  const [model, seed] = words.split(' ')
  return group({ '--epochs': '3', '--model': model!, '--seed': seed! }, index)
})

describe('groups in cells', () => {
  test('have a cell each without anything to average over, and what is constant apart', () => {
    const comparison = compareGroups(grid, plain)
    expect(comparison).toMatchObject({ by: ['--model', '--seed'], over: [], constants: { '--epochs': '3' } })
    expect(cells(grid).slice(0, 2)).toEqual(['a 0: 1.0', 'a 1: 1.1'])
  })

  test('are found at once, whatever the length of a value', () => {
    expect(cells(groupsWith('--x', [`${'1'.repeat(1_000_000)}x`, '1']))).toHaveLength(2)
  })

  test('are averaged over a parameter, or over all but some', () => {
    const expected = ['a: 1.0 1.1 1.2', 'b: 1.3 1.4 1.5']
    expect(cells(grid, { over: ['--seed'] })).toEqual(expected)
    expect(cells(grid, { by: ['--model'] })).toEqual(expected)
    expect(cells(grid, { by: ['--epochs'] })).toEqual(['3: 1.0 1.1 1.2 1.3 1.4 1.5'])
  })

  test('are apart for seeds that differ only in digits which a double does not have', () => {
    const seeds = groupsWith('--seed', ['244001282338947011', '244001282338947012', '244001282338947012.0'])
    expect(cells(seeds)).toHaveLength(3)
  })

  test('are apart for commits and options that look like the same number', () => {
    const names = ['1e5', '100000']
    expect(cells(groupsWith('commit', names), { by: ['commit'] })).toHaveLength(2)
    expect(cells(groupsWith('--lr', names))).toHaveLength(2)
    expect(cells(groupsWith('--lr', ['0e12345', '0e99999', '0', '12e45', '1.2e46']))).toHaveLength(5)
  })

  test('tell values from each other by their words, and say which are one number', () => {
    const words = ['0.1', '0.10', '1e-1', '.1', 'x', 'X', '', '007', '7', '--']
    const groups = groupsWith('--lr', words)
    expect(cells(groups)).toEqual(words.map((word, at) => `${word}: 1.${at}`))
    const { spellings } = compareGroups(groups, plain)
    expect(spellings.map(spellingNote)).toEqual(['--lr: 0.1, 0.10, 1e-1 and .1 are one number, but different cells'])
  })

  test('may lack a parameter that others have, and may repeat one', () => {
    const { cells: found } = compareGroups([group({}), ...groupsWith('--layer', [['1', '2'], ''])], plain)
    expect(found.map(({ parameters }) => parameters)).toEqual([[null], ['1 2'], ['']])
  })

  test('tell a value with blanks from several values', () => {
    const groups = groupsWith('--note', ['a b', ['a', 'b'], 'c', ['a b', 'c'], ['a', 'b c'], ['a', 'b']])
    const expected = ["'a b': 1.0", 'a b: 1.1 1.5', 'c: 1.2', "'a b' c: 1.3", "a 'b c': 1.4"]
    expect(cells(groups)).toEqual(expected)
  })

  test('say what is missing, and why', () => {
    const facts = [{ cause: 'oom' }, {}, { cause: 'oom' }, { state: 'pending' } as const]
    const groups = facts.map((each, index) => group({ '--seed': String(index) }, index, each))
    const [cell] = compareGroups(groups, { ...plain, over: ['--seed'] }).cells
    expect([cell!.expected, cell!.groups.length]).toEqual([4, 1])
    expect(Object.fromEntries(cell!.missing)).toEqual({ oom: [groups[0], groups[2]], pending: [groups[3]] })
  })

  const value = fc.constantFrom('0', '0.0', '1', 'a', '', '-1')
  const parameters = fc.dictionary(fc.constantFrom('--a', '--b', '--seed', 'pos_0', '__proto__'), value)
  const facts = fc.record({ parameters, cause: fc.constantFrom(null, null, 'oom', 'exit') })
  const lists = { by: fc.option(fc.subarray(['--a', '--b', '--seed', 'pos_0'])), over: fc.subarray(['--a', '--seed']) }
  const some = fc.array(facts, { maxLength: 30 })
  testAny([some, fc.record(lists)])('are in exactly one cell each', (all, grouping) => {
    const groups = all.map((each, index) => group(each.parameters, index, { cause: each.cause }))
    const comparison = compareGroups(groups, grouping)
    const inCells = comparison.cells.flatMap(cell => [...cell.groups, ...[...cell.missing.values()].flat()])
    expect(new Set(inCells).size).toBe(inCells.length)
    expect(inCells).toHaveLength(groups.length)
    for (const { missing, groups: there, expected, finished } of comparison.cells) {
      const count = [...missing.values()].reduce((sum, those) => sum + those.length, there.length)
      expect([expected, finished]).toEqual([count, there.length])
    }
    const keys = comparison.cells.map(({ parameters: own }) => JSON.stringify(own))
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe('the value of a cell', () => {
  const acc: compare.MetricChoice = { name: 'acc', statistic: 'last', direction: 'max' }
  const cellOf = (...metrics: Group['metrics'][]) => {
    const groups = metrics.map((each, index) => group({ '--seed': String(index) }, index, { metrics: each }))
    return compareGroups(groups, { ...plain, over: ['--seed'] }).cells[0]!
  }

  test('is a summary of the numbers that its groups have', () => {
    const value = cellValue(cellOf({ acc: 0.5 }, { acc: true }, { loss: 1 }), acc)
    expect(value).toEqual({ mean: 0.75, sd: Math.sqrt(0.125), count: 2, min: 0.5, max: 1 })
  })

  test('is the last one of a series, or its smallest or largest if that is asked for', () => {
    const cell = cellOf({ acc: seriesOf({ values: [2, 1, 3, 2.5], steps: [0, 1, 2, 3] }) })
    const mean = (statistic: 'last' | 'min' | 'max') => cellValue(cell, { ...acc, statistic })
    expect([mean('last'), mean('min'), mean('max')]).toMatchObject([{ mean: 2.5, count: 1 }, { mean: 1 }, { mean: 3 }])
  })

  test('is each text once, or nothing', () => {
    expect(cellValue(cellOf({ acc: 'good' }, { acc: 'bad' }, { acc: 'good' }), acc)).toEqual(['good', 'bad'])
    expect(cellValue(cellOf({}, { loss: 1 }), acc)).toBeNull()
    expect(cellValue(cellOf({}), { ...acc, name: 'toString' })).toBeNull()
  })
})

test.each([
  [[0.1, 0.3, null, 0.2], 'max', 0.3],
  [[0.1, 0.3, null, 0.1], 'min', 0.1],
  [[null, null], 'max', null],
  [[1, 2], null, null],
] as const)('the best of %j for %s is %s', (means, direction, best) => {
  expect(bestOf(means, direction)).toBe(best)
})

test('a parameter looks like a seed by the last part of its name', () => {
  const names = '--seed --random_state --random-state --data-seed --rng --SEED seed'.split(' ')
  expect([...names, '--seeds-per-class', '--seeding', '--state', '--lr'].filter(looksLikeSeed)).toEqual(names)
})

test.each(
  rowsOf(`
    1 0.10 -2e3                       | numbers  |
    1 a                               | texts    |
    4567e12 123e456                   | texts    | hashes of commits may look like numbers that no double holds
    1e-400 2e-400                     | texts    |
    1e400 1                           | texts    |
    0 3e-299                          | numbers  |
    3e-324                            | texts    |
    7 007                             | texts    |
    9007199254740993 9007199254740992 | texts    | a double holds each of them, but not the difference
  `),
)('%s are %s for a plot %s', (values, kind) => {
  expect(compare.numericParameters(groupsWith('--x', values!.split(' '))).has('--x')).toBe(kind === 'numbers')
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bestOf, cellValue } from '../../../src/domain/results/cell-value.js'
import {
  type Comparison,
  compareGroups,
  type GroupResult,
  looksLikeSeed,
  type MetricChoice,
  numericParameters,
} from '../../../src/domain/results/compare.js'
import { seriesOf } from '../../../src/domain/results/metrics.js'
import { testAny } from '../../cases.js'

const acc: MetricChoice = { name: 'acc', statistic: 'last', direction: 'max' }
const plain = { by: null, over: [], repeats: false }

const finished = { state: 'finished', cause: null } as const
/** What is known of a group that did not finish for this reason; of one that finished without. */
function ended(cause: string | null): Pick<GroupResult, 'state' | 'cause'> {
  if (cause === null) return finished
  return cause === 'pending' ? { state: 'pending', cause: null } : { state: 'failed', cause }
}

function group(parameters: GroupResult['parameters'], facts: Partial<GroupResult> = {}): GroupResult {
  return { run: 1, index: 0, parameters, ...finished, started: 1, seconds: 1, metrics: {}, ...facts }
}

/** The cells of a comparison by their parameters, with the runs and groups in them. */
function cells({ cells }: Comparison): [string, string][] {
  return cells.map(({ parameters, groups }) => [
    parameters.join(' '),
    groups.map(({ run, index }) => `${run}.${index}`).join(' '),
  ])
}

const grid = ['a', 'b'].flatMap(model =>
  ['0', '1', '2'].map((seed, at) =>
    group({ '--epochs': '3', '--model': model, '--seed': seed }, { index: at + (model === 'a' ? 0 : 3) }),
  ),
)

describe('groups in cells', () => {
  test('have a cell each without anything to average over, and what is constant apart', () => {
    const comparison = compareGroups(grid, plain)
    expect(comparison).toMatchObject({ by: ['--model', '--seed'], over: [], constants: { '--epochs': '3' } })
    expect(cells(comparison).slice(0, 2)).toEqual([
      ['a 0', '1.0'],
      ['a 1', '1.1'],
    ])
  })

  test('are found at once, whatever the length of a value', () => {
    const long = `${'1'.repeat(1_000_000)}x`
    expect(compareGroups([group({ '--x': long }), group({ '--x': '1' })], plain).cells).toHaveLength(2)
  })

  test('are averaged over a parameter, or over all but some', () => {
    const expected = [
      ['a', '1.0 1.1 1.2'],
      ['b', '1.3 1.4 1.5'],
    ]
    expect(cells(compareGroups(grid, { ...plain, over: ['--seed'] }))).toEqual(expected)
    expect(cells(compareGroups(grid, { ...plain, by: ['--model'] }))).toEqual(expected)
    expect(cells(compareGroups(grid, { ...plain, by: ['--epochs'] }))).toEqual([['3', '1.0 1.1 1.2 1.3 1.4 1.5']])
  })

  test('are apart for seeds that differ only in digits which a double does not have', () => {
    const seeds = ['244001282338947011', '244001282338947012', '244001282338947012.0']
    const groups = seeds.map((seed, index) => group({ '--seed': seed }, { index }))
    expect(cells(compareGroups(groups, { ...plain, repeats: true }))).toEqual([
      ['244001282338947011', '1.0'],
      ['244001282338947012', '1.1 1.2'],
    ])
  })

  test('are apart for commits whose hashes look like the same number, and for no options that do', () => {
    const names = ['0e12345', '0e99999']
    const both = (name: string) => names.map((text, index) => group({ [name]: text }, { index }))
    expect(compareGroups(both('commit'), plain).cells).toHaveLength(2)
    expect(compareGroups(both('--lr'), plain).cells).toHaveLength(1)
  })

  test('tell numbers from each other by their value, and texts by their letters, also those with zeros in front', () => {
    const values = ['0.1', '0.10', '1e-1', '.1', 'x', 'X', '', '007', '7', '--']
    const groups = values.map((value, index) => group({ '--lr': value }, { index }))
    expect(cells(compareGroups(groups, { ...plain, repeats: true }))).toEqual([
      ...[
        ['0.1', '1.0 1.1 1.2 1.3'],
        ['x', '1.4'],
        ['X', '1.5'],
        ['', '1.6'],
        ['007', '1.7'],
        ['7', '1.8'],
        ['--', '1.9'],
      ],
    ])
  })

  test('may lack a parameter that others have, and may repeat one', () => {
    const groups = [group({}), group({ '--layer': ['1', '2'] }, { index: 1 }), group({ '--layer': '' }, { index: 2 })]
    const { cells: found } = compareGroups(groups, plain)
    expect(found.map(({ parameters }) => parameters)).toEqual([[null], ['1 2'], ['']])
  })

  test('tell a value with blanks from several values', () => {
    const values = ['a b', ['a', 'b'], 'c', ['a b', 'c'], ['a', 'b c'], ['a', 'b']]
    const groups = values.map((value, index) => group({ '--note': value }, { index }))
    expect(cells(compareGroups(groups, { ...plain, repeats: true }))).toEqual([
      ["'a b'", '1.0'],
      ['a b', '1.1 1.5'],
      ['c', '1.2'],
      ["'a b' c", '1.3'],
      ["a 'b c'", '1.4'],
    ])
  })

  test('with the same parameters: the newest that has finished counts', () => {
    const again = [
      group({ '--seed': '0' }, { run: 1 }),
      group({ '--seed': '1' }, { run: 1, index: 1, ...ended('oom') }),
      group({ '--seed': '0' }, { run: 2, ...ended('exit') }),
      group({ '--seed': '1' }, { run: 2, index: 1 }),
      group({ '--seed': '0' }, { run: 3 }),
    ]
    const comparison = compareGroups(again, plain)
    expect(cells(comparison)).toEqual([
      ['0', '3.0'],
      ['1', '2.1'],
    ])
    expect(comparison.superseded).toBe(3)
    expect(comparison.cells.map(({ missing }) => missing.size)).toEqual([0, 0])
    expect(cells(compareGroups(again, { ...plain, repeats: true }))).toEqual([
      ['0', '1.0 3.0'],
      ['1', '2.1'],
    ])
  })

  test('say what is missing, and why', () => {
    const groups = ['oom', null, 'oom', 'pending'].map((missing, index) =>
      group({ '--seed': String(index) }, { index, ...ended(missing) }),
    )
    const [cell] = compareGroups(groups, { ...plain, over: ['--seed'] }).cells
    expect([cell!.expected, cell!.groups.length]).toEqual([4, 1])
    expect([...cell!.missing].map(([cause, those]) => [cause, those.map(({ index }) => index)])).toEqual([
      ['oom', [0, 2]],
      ['pending', [3]],
    ])
  })

  const value = fc.constantFrom('0', '0.0', '1', 'a', '', '-1')
  const parameters = fc.dictionary(fc.constantFrom('--a', '--b', '--seed', 'pos_0', '__proto__'), value)
  const facts = fc.record({ parameters, missing: fc.constantFrom(null, null, 'oom', 'exit') })
  const names = fc.constantFrom('--a', '--b', '--seed', 'pos_0')
  testAny([fc.array(facts, { maxLength: 30 }), fc.subarray(['--a', '--seed']), fc.boolean(), names])(
    'are in exactly one cell each, whatever they are',
    (all, over, repeats, by) => {
      const groups = all.map((each, index) => group(each.parameters, { index, ...ended(each.missing) }))
      for (const grouping of [
        { by: null, over, repeats },
        { by: [by], over: [], repeats },
      ]) {
        const comparison = compareGroups(groups, grouping)
        const inCells = comparison.cells.flatMap(cell => [...cell.groups, ...[...cell.missing.values()].flat()])
        expect(new Set(inCells).size).toBe(inCells.length)
        expect(inCells.length + comparison.superseded).toBe(groups.length)
        if (repeats) expect(comparison.superseded).toBe(0)
        for (const cell of comparison.cells) {
          const count = [...cell.missing.values()].reduce((sum, those) => sum + those.length, cell.groups.length)
          expect([cell.expected, cell.finished]).toEqual([count, cell.groups.length])
        }
        const keys = comparison.cells.map(({ parameters: own }) => JSON.stringify(own))
        expect(new Set(keys).size).toBe(keys.length)
      }
    },
  )
})

describe('the value of a cell', () => {
  const cellOf = (...metrics: GroupResult['metrics'][]) =>
    compareGroups(
      metrics.map((each, index) => group({ '--seed': String(index) }, { index, metrics: each })),
      {
        ...plain,
        over: ['--seed'],
      },
    ).cells[0]!

  test('is a summary of the numbers that its groups have', () => {
    const value = cellValue(cellOf({ acc: 0.5 }, { acc: true }, { loss: 1 }), acc)
    expect(value).toEqual({ mean: 0.75, sd: Math.sqrt(0.125), count: 2, min: 0.5, max: 1 })
  })

  test.each([
    ['last', 1],
    ['min', 1],
    ['max', 3],
  ] as const)('is the %s of a series if that is asked for', (statistic, mean) => {
    const series = seriesOf({ values: [2, 3, 1], steps: [0, 1, 2] })
    expect(cellValue(cellOf({ acc: series }), { ...acc, statistic })).toMatchObject({ mean, count: 1 })
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

test.each(['--seed', '--random_state', '--random-state', '--data-seed', '--rng', '--SEED', 'seed'])(
  '%s looks like a seed',
  name => {
    expect(looksLikeSeed(name)).toBe(true)
  },
)

test.each(['--seeds-per-class', '--seeding', '--state', '--lr'])('%s does not look like a seed', name => {
  expect(looksLikeSeed(name)).toBe(false)
})

test.each([
  [['1', '0.10', '-2e3'], true],
  [['1', 'a'], false],
  // Hashes of commits may look like numbers that no double holds.
  [['4567e12', '123e456'], false],
  [['1e400'], false],
  [['1e-400', '2e-400'], false],
  [['0', '0e-400', '3e-299'], true],
  [['3e-324'], false],
  [['7', '007'], false],
  // A double holds each of them, but not the difference.
  [['9007199254740993', '9007199254740992'], false],
])('%j are numbers for a plot: %j', (values, expected) => {
  expect(numericParameters(values.map(value => group({ '--x': value }))).has('--x')).toBe(expected)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ParameterGrid } from '../../../src/domain/parameters/grid.js'
import { compareGroups, type GroupResult } from '../../../src/domain/results/compare.js'
import { placeInGrid } from '../../../src/domain/results/comparison/grid-cells.js'
import { testAny } from '../../cases.js'
import { gridsOf, groupsOf } from '../parameters/grids.js'

const grid: ParameterGrid = {
  fixed: { args: ['--bins', '20'] },
  groups: [{ args: ['--model', 'a'] }, { args: ['--model', 'b'] }],
  axes: [{ option: '--lr', start: '0.1', step: '0.1', count: 2 }],
}

function group(parameters: GroupResult['parameters'], run = 1, index = 0): GroupResult {
  return { run, index, parameters, state: 'finished', cause: null, started: 1, seconds: 1, metrics: {} }
}

const inGrid = (model: string, lr: string, more: GroupResult['parameters'] = {}) =>
  group({ '--bins': '20', '--model': model, '--lr': lr, ...more })

describe('the groups of runs by the cells of a parameter file', () => {
  test('are in its order, and a cell without any is there', () => {
    const placed = placeInGrid([inGrid('b', '0.2'), inGrid('a', '0.1')], grid)
    const texts = placed.groups.map(({ parameters, state }) => [...Object.values(parameters).slice(1), state].join(' '))
    expect(texts).toEqual(['a 0.1 finished', 'b 0.1 not_run', 'a 0.2 not_run', 'b 0.2 finished'])
    expect(placed).toMatchObject({ cells: 4, notRun: [1, 2], leftOut: 0 })
    const { cells } = compareGroups(placed.groups, { by: null, over: ['--lr'] })
    for (const { expected, missing } of cells) expect([expected, missing.get('not_run')?.length]).toEqual([2, 1])
  })

  test('are others where a number is in other words, which is told of groups without other parameters', () => {
    const others = [inGrid('a', '1e-1'), inGrid('a', '2e-1', { '--epochs': '3' })]
    const spellings = [{ name: '--lr', texts: [['0.1', '1e-1']] }]
    expect(placeInGrid(others, grid)).toMatchObject({ notRun: [0, 1, 2, 3], leftOut: 2, spellings })
  })

  test.each([
    ['another value', inGrid('c', '0.1')],
    ['a value too few', group({ '--bins': '20', '--model': 'a' })],
    ['a parameter more', inGrid('a', '0.1', { '--epochs': '3' })],
    ['a value twice', inGrid('a', '0.1', { '--bins': ['20', '30'] })],
  ])('are left out with %s', (_, other) => {
    expect(placeInGrid([other], grid)).toMatchObject({ leftOut: 1, notRun: [0, 1, 2, 3] })
  })

  const word = fc.constantFrom('--a', '--b', '--c=1', 'x', '1', '-2', '', '0.5')
  const anyGrid = gridsOf(fc.constantFrom('--r', '--a'), fc.record({ args: fc.array(word, { maxLength: 3 }) }))
  testAny([anyGrid, fc.func(fc.boolean())])('are all found again if they are those of the grid', (any, wasRun) => {
    const all = groupsOf(any).map((parameters, index) => group(parameters, 1, index))
    const some = all.filter(({ index }) => wasRun(index))
    const placed = placeInGrid(some, any)
    expect(placed.leftOut).toBe(0)
    expect(new Set(placed.groups.filter(({ state }) => state === 'finished'))).toEqual(new Set(some))
    expect(placed.notRun).toHaveLength(placed.groups.length - some.length)
    expect(placeInGrid(all, any).notRun).toEqual([])
  })
})

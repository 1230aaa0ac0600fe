import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { partOfGrid } from '../../../src/domain/parameters/grid.js'
import { gridColumns, groupParameters } from '../../../src/domain/parameters/group-parameters.js'
import { cellKey } from '../../../src/domain/parameters/same-value.js'
import { notSpeaking, type SpeakingRun } from '../../../src/domain/results/comparison/speaking.js'
import { type StandingRun, standingOf, standingText } from '../../../src/domain/results/comparison/standing.js'
import type { GroupState } from '../../../src/domain/runs/run.js'
import { testAny } from '../../cases.js'

const letters: Readonly<Record<string, GroupState>> = {
  f: 'finished',
  r: 'running',
  p: 'pending',
  h: 'held',
  x: 'failed',
}

/** A run with groups such as `a:f b:x`: their values, and the first letter of their states. */
function run(id: number, rank: number, text: string): StandingRun {
  const words = text.split(' ').map(word => word.split(':') as [string, string])
  const stateOf = (index: number) => letters[words[index]![1]]!
  return {
    ...{ id, rank, groups: words.length },
    grid: { fixed: { args: [] }, groups: words.map(([value]) => ({ args: ['--x', value] })), axes: [] },
    hasFinished: index => stateOf(index) === 'finished',
    unfinished: index => ({ state: stateOf(index), cause: stateOf(index) === 'failed' ? 'oom' : null }),
  }
}

const grid = (...values: string[]) => run(0, 0, values.map(value => `${value}:x`).join(' ')).grid

describe('the standing of the cells of a grid', () => {
  test.each<[string, StandingRun[]]>([
    ['3 cells: 3 to run', []],
    ['3 cells: 2 finished (run 4), 1 to run', [run(4, 4, 'a:f b:f')]],
    ['3 cells: 1 finished (run 4), 1 running (5), 1 pending (4)', [run(4, 4, 'a:f b:p c:x'), run(5, 5, 'c:r d:f')]],
    ['3 cells: 2 finished (runs 4, 5), 1 to run', [run(4, 4, 'a:f b:x'), run(5, 5, 'a:x b:f')]],
    ['3 cells: 1 running (run 4), 2 to run', [run(4, 4, 'a:r'), run(5, 5, 'a:x')]],
    ['3 cells: 1 finished (run 4), 2 to run', [run(4, 4, 'a:f'), run(5, 5, 'a:r')]],
    ['3 cells: 1 finished (run 5), 2 to run', [run(4, 4, 'a:f'), run(5, 5, 'a:f'), run(6, 4, 'a:f')]],
    ['3 cells: 1 pending (run 4), 2 to run', [run(4, 4, 'a:h b:x')]],
  ])('%s', (text, runs) => {
    expect(standingText(standingOf(grid('a', 'b', 'c'), runs))).toBe(text)
  })

  test('counts equal cells once, and other words as another cell', () => {
    expect(standingText(standingOf(grid('1', '1', '1.0'), [run(4, 4, '1:f')]))).toBe(
      '2 cells: 1 finished (run 4), 1 to run',
    )
  })

  test('says of which group a missing cell is, and why', () => {
    const { missing } = standingOf(grid('a', 'b'), [run(4, 4, 'c:f b:x'), run(5, 5, 'b:x')])
    expect(missing).toEqual([
      { index: 0, group: null },
      { index: 1, group: { run: 5, index: 0, cause: 'oom' } },
    ])
  })

  const value = fc.constantFrom('a', 'b', '0.1', '0.10')
  const group = fc.tuple(value, fc.constantFrom(...Object.keys(letters))).map(words => words.join(':'))
  const facts = fc.record({
    back: fc.integer({ min: 0, max: 3 }),
    groups: fc.array(group, { minLength: 1, maxLength: 5 }),
  })
  testAny([fc.array(value, { minLength: 1 }), fc.array(facts)])(
    'has a cell finished in the run of the group that speaks for it, and launches every other cell once that nothing runs',
    (values, all) => {
      const runs = all.map(({ back, groups }, at) => run(10 + at, Math.max(10, 10 + at - back), groups.join(' ')))
      const { finished, running, pending, missing, cells } = standingOf(grid(...values), runs)
      const speaking = runs.map((each): SpeakingRun => ({ ...each, columns: gridColumns(each.grid) }))
      const left = notSpeaking(speaking)
      const wanted = new Set<unknown>(values)
      const expected = new Map<number, number>()
      for (const each of speaking) {
        for (let index = 0; index < each.groups; index++) {
          const counts = each.hasFinished(index) && !left.get(each.id)?.has(index)
          if (counts && wanted.has(each.columns[0]!.values[index]))
            expected.set(each.id, (expected.get(each.id) ?? 0) + 1)
        }
      }
      expect(finished).toEqual(expected)
      const sum = [finished, running, pending]
        .flatMap(each => [...each.values()])
        .reduce((one, other) => one + other, 0)
      expect([sum + missing.length, cells]).toEqual([wanted.size, wanted.size])
      const filled = partOfGrid(
        grid(...values),
        missing.map(({ index }) => index),
      )
      const keyAt = (index: number) => cellKey(groupParameters(filled)(index))
      if (missing.length > 0) expect(new Set(filled.groups.map((_, index) => keyAt(index))).size).toBe(missing.length)
    },
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ChainedRun, notCounted, notCountedTexts } from '../../../src/domain/results/reruns.js'
import { testAny } from '../../cases.js'

const run = (id: number, root: number, groups: number, ...finished: number[]): ChainedRun => {
  return { id, root, origin: '', groups, finished: new Set(finished) }
}
const told = (...runs: ChainedRun[]) => notCountedTexts(runs, notCounted(runs))

describe('of a run and its reruns', () => {
  const rerun = 'run 7 is a rerun of run 4:'
  const parts = `${rerun} 2 groups of run 4 and 1 group of run 7 are not counted`
  const third = 'runs 7 and 9 are reruns of run 4: runs 4 and 7 are not counted'
  test.each([
    ['the rerun counts', [run(4, 4, 2, 0, 1), run(7, 4, 2, 0, 1)], `${rerun} run 4 is not counted`],
    ['each group counts where it has finished', [run(4, 4, 3, 0, 2), run(7, 4, 3, 1, 2)], parts],
    ['a live rerun does not count', [run(4, 4, 2, 0, 1), run(7, 4, 2)], `${rerun} run 7 is not counted`],
    ['what has failed twice counts once', [run(4, 4, 1), run(7, 4, 1)], `${rerun} run 4 is not counted`],
    ['the last of several counts', [run(4, 4, 2, 0, 1), run(7, 4, 2, 0, 1), run(9, 4, 2, 0, 1)], third],
    ['the first need not be there', [run(7, 4, 1, 0), run(9, 4, 1, 0)], third.replace('runs 4 and 7 are', 'run 7 is')],
  ])('%s', (_, runs, text) => {
    expect(told(...runs)).toEqual([text])
  })

  test('both count if they differ in their environment or their data', () => {
    expect(told({ ...run(4, 4, 1, 0), origin: 'numpy 1' }, { ...run(7, 4, 1, 0), origin: 'numpy 2' })).toEqual([])
  })

  const runs = fc.array(fc.record({ root: fc.integer({ min: 1, max: 3 }), finished: fc.subarray([0, 1, 2]) }))
  testAny([runs])('every group counts exactly once, where it has finished', anyRuns => {
    const all = anyRuns.map(({ root, finished }, at) => run(10 + at, root, 3, ...finished))
    const left = notCounted(all)
    for (const root of new Set(all.map(each => each.root))) {
      for (const index of [0, 1, 2]) {
        const chain = all.filter(each => each.root === root)
        const counted = chain.filter(({ id }) => !left.get(id)?.has(index))
        expect(counted).toHaveLength(1)
        if (chain.some(each => each.finished.has(index))) expect(counted[0]!.finished.has(index)).toBe(true)
      }
    }
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GroupReport } from '../../src/domain/runs/run.js'
import { cases, testAny } from '../cases.js'
import { anyStatus, storeWithRun } from './stores.js'

const groupCount = 12

/** Some groups of a run; the others are pending. */
const anyGroups = fc.uniqueArray(
  fc.record<GroupReport, 'index' | 'status'>(
    { index: fc.nat({ max: groupCount - 1 }), status: anyStatus, awaiting: fc.nat() },
    { requiredKeys: ['index', 'status'] },
  ),
  { selector: ({ index }) => index },
)

test('a refresh starts from the groups that may change, and from those whose end is final', () => {
  const byIndex = (one: GroupReport, other: GroupReport) => one.index - other.index
  fc.assert(
    fc.property(anyGroups, groups => {
      const { open, settled } = storeWithRun(groupCount, groups).store.refreshes.groups(1, groupCount)
      const mayChange = ({ status, awaiting }: GroupReport) =>
        ['pending', 'running', 'held', 'lost'].includes(status.state) || awaiting !== undefined
      const indices = Array.from({ length: groupCount }, (_, index) => index)
      const final = groups.filter(each => !mayChange(each)).map(({ index }) => index)
      expect(indices.filter(index => settled.has(index))).toEqual(final.toSorted((a, b) => a - b))
      expect(indices.filter(index => open.has(index))).toHaveLength(open.size)
      const found = indices.flatMap(index => open.get(index) ?? [])
      const expected = groups.filter(mayChange).toSorted(byIndex)
      expect(found).toMatchObject(expected.map(({ index, status }) => ({ index, status })))
    }),
    { numRuns: cases(50) },
  )
})

testAny([anyGroups], { numRuns: cases(50) })(
  'the pace of a run is that of the groups that have run to an end of their own, and of those that run',
  groups => {
    const statuses = groups.map(({ status }) => status)
    const took = statuses.flatMap(status => {
      if (status.state !== 'finished' && status.state !== 'failed') return []
      const { started, finished } = status
      return started === null || finished === null ? [] : [Math.max(0, finished - started)]
    })
    const starts = statuses.flatMap(status => (status.state === 'running' ? [status.started] : []))
    const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
    expect(storeWithRun(groupCount, groups).store.runs.pace(1)).toEqual({
      ...{ ended: took.length, took: sum(took) },
      ...{ running: starts.length, starts: sum(starts) },
    })
  },
)

test('the pace of a run with very many groups is that of the last 10,000 that have ended, however they ended', () => {
  const groups = Array.from({ length: 20_000 }, (_, index): GroupReport => {
    const times = { started: 0, finished: index < 10_000 ? 1 : 3, host: null, jobId: null }
    const failed = { state: 'failed', cause: 'exit', exitCode: 1, signal: null, ...times } as const
    return { index, status: index < 10_000 ? failed : { state: 'finished', exitCode: 0, ...times } }
  })
  expect(storeWithRun(groups.length, groups).store.runs.pace(1)).toMatchObject({ ended: 10_000, took: 30_000 })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GroupReport } from '../../src/domain/runs/run.js'
import { cases } from '../cases.js'
import { anyStatus, experimentCalled, launchOf, newStore, runOf } from './stores.js'

const groupCount = 12

/** Some groups of a run; the others are pending. */
const anyGroups = fc.uniqueArray(
  fc.record<GroupReport, 'index' | 'status'>(
    { index: fc.nat({ max: groupCount - 1 }), status: anyStatus, awaiting: fc.nat() },
    { requiredKeys: ['index', 'status'] },
  ),
  { selector: ({ index }) => index },
)

function storeWith(groups: readonly GroupReport[], count = groupCount) {
  const { store } = newStore()
  store.experiments.insert(experimentCalled('it'))
  store.runs.insert(1, runOf('it', count), launchOf('it', 'token'))
  store.transaction(() => store.runs.update(1, groups, null, 1))
  return store
}

test('a refresh starts from the groups that may change, and from those whose end is final', () => {
  fc.assert(
    fc.property(anyGroups, groups => {
      const found = storeWith(groups).refreshes.groups(1, groupCount)
      const isLive = ({ status }: GroupReport) => ['pending', 'running', 'held', 'lost'].includes(status.state)
      const mayChange = groups.filter(each => isLive(each) || each.awaiting !== undefined)
      const states = Array.from({ length: groupCount }, (_, index) => {
        const group = groups.find(each => each.index === index)
        return [group !== undefined && mayChange.includes(group), group !== undefined && !mayChange.includes(group)]
      })
      expect(states.map((_, index) => [found.open.has(index), found.settled.has(index)])).toEqual(states)
      const indices = mayChange.map(({ index }) => index).toSorted((a, b) => a - b)
      expect([...found.open.keys()].toSorted((a, b) => a - b)).toEqual(indices)
      expect(found.open.size).toBe(indices.length)
      expect([...found.open.values()].map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(indices)
      expect(states.map((_, index) => found.open.get(index)?.status)).toEqual(
        states.map((_, index) => mayChange.find(each => each.index === index)?.status),
      )
    }),
    { numRuns: cases(50) },
  )
})

test('the pace of a run is that of the groups that have run to an end of their own, and of those that run', () => {
  fc.assert(
    fc.property(anyGroups, groups => {
      const statuses = groups.map(({ status }) => status)
      const took = statuses.flatMap(status => {
        if (status.state !== 'finished' && status.state !== 'failed') return []
        const { started, finished } = status
        return started === null || finished === null ? [] : [Math.max(0, finished - started)]
      })
      const starts = statuses.flatMap(status => (status.state === 'running' ? [status.started] : []))
      const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
      expect(storeWith(groups).runs.pace(1)).toEqual({
        ...{ ended: took.length, took: sum(took) },
        ...{ running: starts.length, starts: sum(starts) },
      })
    }),
    { numRuns: cases(50) },
  )
})

test('the pace of a run with very many groups is that of the last 10,000 that have ended, however they ended', () => {
  const groups = Array.from({ length: 20_000 }, (_, index): GroupReport => {
    const times = { started: 0, finished: index < 10_000 ? 1 : 3, host: null, jobId: null }
    const failed = { state: 'failed', cause: 'exit', exitCode: 1, signal: null, ...times } as const
    return { index, status: index < 10_000 ? failed : { state: 'finished', exitCode: 0, ...times } }
  })
  expect(storeWith(groups, groups.length).runs.pace(1)).toMatchObject({ ended: 10_000, took: 30_000 })
})

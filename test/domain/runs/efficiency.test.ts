import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resourceUses } from '../../../src/domain/runs/efficiency.js'
import type { GroupStatus } from '../../../src/domain/runs/run.js'
import { testAny } from '../../cases.js'

const asked = { cpus: 4, memory: 1000, time: null }

function finished(index: number, seconds: number, used?: { peakMemory: number | null; cpuTime: number | null }) {
  const end = { started: 0, finished: 1000 * seconds, host: 'n1', jobId: null }
  const status: GroupStatus = { state: 'finished', exitCode: 0, ...end, ...(used && { used }) } as GroupStatus
  return { index, status, asked }
}

describe('resourceUses', () => {
  test('tells the median, the most with its group, and what would be enough with a margin', () => {
    const groups = [
      finished(0, 10, { peakMemory: 100, cpuTime: 9 }),
      finished(1, 20, { peakMemory: 300, cpuTime: 40 }),
      finished(2, 30, { peakMemory: 200, cpuTime: 15 }),
    ]
    expect(resourceUses(groups)).toEqual([
      { resource: 'memory', asked: 1000, groups: 3, median: 200, most: { used: 300, group: 1 }, enough: 375 },
      { resource: 'time', asked: null, groups: 3, median: 20, most: { used: 30, group: 2 }, enough: null },
      { resource: 'cpus', asked: 4, groups: 3, median: 0.9, most: { used: 2, group: 1 }, enough: null },
    ])
  })

  test('calls nothing enough of what is only a lower bound', () => {
    const groups = [finished(0, 10, { peakMemory: 100, cpuTime: 9 })]
    expect(resourceUses(groups)).toMatchObject([{ enough: 125 }, {}, {}])
    expect(resourceUses(groups, ['memory'])).toMatchObject([{ most: { used: 100 }, enough: null }, {}, {}])
  })

  test('says nothing of what nobody has measured, and of groups that did not finish', () => {
    const failed = { ...finished(1, 5), status: { state: 'pending' } as const }
    expect(resourceUses([failed])).toEqual([])
    expect(resourceUses([finished(0, 5), failed])).toMatchObject([{ resource: 'time', groups: 1 }])
  })

  test('leaves groups that ended too soon out of the processors', () => {
    const uses = resourceUses([finished(0, 0.1, { peakMemory: null, cpuTime: 0.4 })])
    expect(uses.map(({ resource }) => resource)).toEqual(['time'])
  })

  test('counts groups for which something else was asked by themselves', () => {
    const used = { peakMemory: 100, cpuTime: null }
    const other = { ...finished(1, 5, used), asked: { ...asked, memory: 150 } }
    expect(resourceUses([finished(0, 5, used), other])).toMatchObject([
      { resource: 'memory', asked: 1000, groups: 1, enough: 125 },
      { resource: 'memory', asked: 150, groups: 1, enough: null },
      { resource: 'time', groups: 2 },
    ])
  })

  const peaks = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1 })
  testAny([peaks])('calls nothing enough that a group has exceeded, or that is half of what was asked for', all => {
    const groups = all.map((peakMemory, index) => finished(index, 5, { peakMemory, cpuTime: 1 }))
    for (const { median, most, enough, asked: wanted } of resourceUses(groups)) {
      expect(median).toBeLessThanOrEqual(most.used)
      if (enough === null) continue
      expect(enough).toBeGreaterThanOrEqual(most.used)
      expect(enough).toBeLessThan(wanted! / 2)
    }
  })
})

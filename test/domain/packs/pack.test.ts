import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Resources, timeLimitSeconds } from '../../../src/domain/job-environment.js'
import { gpuCount, jobsAtATime, packOf, refuseFewSlots, resourcesOfJob } from '../../../src/domain/packs/pack.js'
import { testAny } from '../../cases.js'

describe('a job of many groups asks for', () => {
  test.each<[Resources, [groups: number, slots: number, longest?: number], Resources]>([
    [{}, [32, 8], { cpus: 8 }],
    [{ cpus: 2, memory: '4G', gpus: 1, disk: '500M' }, [32, 4], { cpus: 8, memory: '16G', gpus: 4, disk: '2000M' }],
    [{ gpus: 'v100:2' }, [8, 3], { cpus: 3, gpus: 'v100:6' }],
    [{ gpus: 0, memory: '1T' }, [8, 2], { cpus: 2, gpus: 0, memory: '2T' }],
    [{ time: '10' }, [32, 4], { cpus: 4, time: '01:20:00' }],
    [{ time: '0:45' }, [9, 2], { cpus: 2, time: '00:03:45' }],
    [{ time: '2-00:00:00' }, [3, 1], { cpus: 1, time: '144:00:00' }],
    [{ time: '2-00:00:00' }, [3, 1, 86_400], { cpus: 1, time: '48:00:00' }],
    [{ time: '1:00:00' }, [32, 1, 86_400], { cpus: 1, time: '24:00:00' }],
    [{ time: '1-12' }, [4, 4], { cpus: 4, time: '1-12' }],
    [{ partition: 'gpu', account: 'lab' }, [4, 1], { cpus: 1, partition: 'gpu', account: 'lab' }],
  ])('what its slots need: %j, %j', (resources, [groups, slots, longest], expected) => {
    expect(resourcesOfJob(resources, { groups, slots }, longest ?? null)).toEqual(expected)
  })

  testAny([
    fc.integer({ min: 1, max: 1_000 }),
    fc.integer({ min: 1, max: 64 }),
    fc.integer({ min: 1, max: 100_000 }),
    fc.option(fc.integer({ min: 1, max: 1_000_000 })),
  ])('enough time for its groups one after another, but no more than it may have', (groups, more, seconds, longest) => {
    const slots = Math.min(more, groups)
    const time = `0:${seconds}`
    const asked = timeLimitSeconds(resourcesOfJob({ time }, { groups, slots }, longest).time!)!
    const needed = Math.ceil(groups / slots) * seconds
    expect(asked).toBe(Math.max(seconds, Math.min(needed, longest ?? needed)))
  })
})

testAny([fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 })])(
  'a small launch has one job, with no more slots than groups',
  (groups, slots, launched) => {
    const pack = packOf({ groups, slots: Math.min(slots, groups) }, launched)
    expect(pack.groups).toBe(Math.min(groups, launched))
    expect(pack.slots).toBeLessThanOrEqual(pack.groups)
    expect(pack.slots).toBeGreaterThan(0)
  },
)

test('jobs at a time are as many as have no more slots together than groups may run', () => {
  const pack = { groups: 32, slots: 4 }
  expect([null, 4, 7, 8, 100].map(groups => jobsAtATime(pack, groups))).toEqual([null, 1, 1, 2, 25])
  expect(() => refuseFewSlots(pack, 100, 3)).toThrow('at most 3 groups may run at a time, and one job of the submit')
  for (const [each, launched, groups] of [
    [pack, 100, 4],
    [pack, 100, null],
    [pack, 2, 2],
    [null, 100, 1],
  ] as const)
    expect(() => refuseFewSlots(each, launched, groups)).not.toThrow()
})

test.each([
  [undefined, 0],
  [0, 0],
  [2, 2],
  ['v100:3', 3],
])('of the GPUs %j a group gets %i', (gpus, count) => {
  expect(gpuCount(gpus)).toBe(count)
})

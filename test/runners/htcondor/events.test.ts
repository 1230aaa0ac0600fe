import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SchedulerState } from '../../../src/domain/runs/verdicts.js'
import { type JobState, newJob, readEvents as readOn, zoneShift } from '../../../src/runners/htcondor/events.js'

/** An event as HTCondor writes it, `minute` after ten o'clock. */
function event(code: string, minute: number, text: string, details: readonly string[] = [], job = '036.007.000') {
  const time = `2026-03-01 10:${String(minute).padStart(2, '0')}:00`
  return [`${code} (${job}) ${time} ${text}`, ...details.map(line => `\t${line}`), '...', ''].join('\n')
}

/** When an event was, in the time of this host. */
function at(minute: number): number {
  return new Date(2026, 2, 1, 10, minute).getTime()
}

const from = '<10.0.0.1:9618?addrs=10.0.0.1-9618&alias=login.site&noUDP&sock=schedd_1>'
const on = '<10.0.0.2:9618?addrs=10.0.0.2-9618&alias=n1.site&noUDP&sock=startd_1>'
const memory = 'Error from slot1_1@n1: Job has gone over cgroup memory limit of 128 megabytes.'
const executingOn = ['SlotName: slot1_1@n1.site', 'CondorScratchDir = "/x"']
const usage = 'Usr 0 00:00:00, Sys 0 00:00:00  -  Run Remote Usage'

const submitted = event('000', 0, `Job submitted from host: ${from}`)
const executing = event('001', 1, `Job executing on host: ${on}`, executingOn)
const evicted = event('004', 2, 'Job was evicted.', ['(0) CPU times', usage])
const image = event('006', 2, 'Image size of job updated: 100', ['1  -  MemoryUsage of job (MB)'])
const shadow = event('007', 2, 'Shadow exception!', ['Error from slot1_1@n1.site: Job has encountered an event'])
const held = event('012', 2, 'Job was held.', [memory, 'Code 34 Subcode 102'])
const released = event('013', 3, 'Job was released.', ['via condor_release (by user researcher)'])
const suspended = event('010', 2, 'Job was suspended.', ['\tNumber of processes actually suspended: 1'])
const unsuspended = event('011', 3, 'Job was unsuspended.')
const disconnected = event('022', 2, 'Job disconnected, attempting to reconnect', ['Socket between hosts closed'])
const reconnected = event('023', 3, 'Job reconnected to slot1_1@n1.site', ['startd address: <10.0.0.2:9618>'])
const notReconnected = event('024', 3, 'Job reconnection failed', ['JobLeaseDuration (2400 seconds) expired'])
const terminated = (detail: string) => event('005', 4, 'Job terminated.', [detail, `\t${usage}`])
const aborted = (reason: string) => event('009', 4, 'Job was aborted.', [reason])

const finished = terminated('(1) Normal termination (return value 0)')
const failed = terminated('(1) Normal termination (return value 3)')
const killed = terminated('(0) Abnormal termination (signal 9)')
const removed = aborted('via condor_rm (by user x)')
const expression = '(JobStatus == 2) && (time() - EnteredCurrentStatus > QanatTimeLimit)'
const overTime = aborted(`The job attribute PeriodicRemove expression '${expression}' evaluated to TRUE`)

const waiting = { kind: 'pending', restarts: 0 }
const again = { kind: 'pending', restarts: 1 }
const running = { kind: 'running', restarts: 0, started: at(1), host: 'n1.site', jobId: '36.7' }
const end = { kind: 'ended', exitCode: null, signal: null, started: at(1), finished: at(4), host: null, jobId: '36.7' }

/** The event of a cluster of which `made` jobs were made. */
function clusterRemoved(made: number, rest: string, job = '036.-01.000'): string {
  return event('036', 5, 'Cluster removed', [`Materialized ${made} jobs from 0 items.${rest}`], job)
}

/** What a log says of the jobs of a cluster, by their numbers. */
function readEvents(text: string, cluster: number, count = 5): Map<number, SchedulerState> {
  const jobs = new Map<number, JobState>()
  readOn(text, { id: String(cluster), count }, jobs, () => newJob, 0)
  return new Map([...jobs].flatMap(([proc, { state }]) => (state ? [[proc, state] as const] : [])))
}

describe('the memory of a job', () => {
  const normal = '(1) Normal termination (return value 0)'
  const table = (cells: string) => [
    ...[normal, 'Partitionable Resources :    Usage  Request Allocated '],
    ...['   Cpus                 :     0.47        1         1 ', `   Memory (MB)          : ${cells} `],
  ]

  test.each<[string, number, string[], object | undefined]>([
    ['is that of its end', 1, table('  201         500       512'), { peakMemory: 201 * 1024 ** 2, cpuTime: null }],
    ['is unknown if HTCondor has not measured it', 1, table('              500       512'), undefined],
    ['is unknown if it was looked at too early', 1, table('    0         500       512'), undefined],
    ['is unknown of a job that was too short for a look', 4, table('   49         500       512'), undefined],
    ['is unknown without a table', 1, [normal], undefined],
  ])('%s', (_, started, details, used) => {
    const log = event('001', started, `Job executing on host: ${on}`) + event('005', 4, 'Job terminated.', details)
    const expected = { ...end, started: at(started), outcome: 'finished', exitCode: 0, ...(used && { used }) }
    expect(readEvents(log, 36).get(7)).toEqual(expected)
  })
})

describe('the event log', () => {
  test.each<[string, string[], object | undefined]>([
    ['tells nothing of a job that was only submitted, maybe as held', [submitted], undefined],
    ['has a job that waits again', [submitted, held, released], waiting],
    ['has a job that runs, and where', [submitted, executing], running],
    ['has a job that runs, whatever it uses', [submitted, executing, image], running],
    ['has a job that was evicted', [submitted, executing, evicted], again],
    ['has a job whose shadow failed', [submitted, executing, shadow], again],
    ['has a job whose shadow failed before it ran', [submitted, shadow], waiting],
    ['has a job that was evicted once, with all that is told of it', [executing, shadow, evicted], again],
    ['has a job that runs again', [executing, evicted, executing], { ...running, restarts: 1 }],
    ['has a job that is held, and why', [submitted, executing, held], { kind: 'held', restarts: 1, reason: memory }],
    ['has a job that is held before it ran', [submitted, held], { kind: 'held', restarts: 0, reason: memory }],
    ['has a job that was released', [submitted, executing, held, released], again],
    ['has a job that is suspended', [executing, suspended], { ...running, suspended: true }],
    ['has a job that goes on', [executing, suspended, unsuspended], running],
    ['has a job that was evicted while it was suspended', [executing, suspended, evicted], again],
    ['has a job that may be reconnected', [executing, disconnected], running],
    ['has a job that was reconnected', [executing, disconnected, reconnected], running],
    ['has a job that could not be reconnected', [executing, disconnected, notReconnected], again],
    ['has a job that finished', [submitted, executing, finished], { ...end, outcome: 'finished', exitCode: 0 }],
    ['has a job that failed', [executing, failed], { ...end, outcome: 'exit', exitCode: 3 }],
    ['has a job that was killed', [executing, killed], { ...end, outcome: 'signal', signal: 'SIGKILL' }],
    ['has a job that was removed', [executing, removed], { ...end, outcome: 'cancelled' }],
    ['has a job that was removed before it ran', [submitted, removed], { ...end, outcome: 'cancelled', started: null }],
    ['has a job whose time was over', [executing, overTime], { ...end, outcome: 'timeout' }],
  ])('%s', (_, events, state) => {
    expect(readEvents(events.join(''), 36).get(7)).toEqual(state)
  })

  test('has every job of a cluster by its number, and of no other', () => {
    const ofJob = (job: string) => event('001', 1, `Job executing on host: ${on}`, [], job)
    const log = ['036.000.000', '036.010.000', '037.011.000', '036.12345.000'].map(ofJob).join('')
    expect([36, 37].map(cluster => [...readEvents(log, cluster).keys()])).toEqual([[0, 10, 12_345], [11]])
  })

  test.each([executing.slice(0, -1), executing.slice(0, 20), 'rubbish\n...\n', '...\n'])('says nothing by %j', rest => {
    expect(readEvents(submitted + rest, 36).size).toBe(0)
  })
})

describe('a cluster that was removed', () => {
  const neverMade = (proc: number) =>
    [proc, { ...end, outcome: 'cancelled', started: null, finished: at(5), jobId: `36.${proc}` }] as const

  test.each([
    ['\tIncomplete', '036.-01.000'],
    ['\tIncomplete\n\tvia condor_hold (by user researcher)', '036.-01.000'],
    ['\n\tIncomplete', '036.-01.-01'],
  ])('has cancelled its jobs that were not made yet, and no other: %j of %s', (rest, job) => {
    expect(readEvents(clusterRemoved(3, rest, job), 36)).toEqual(new Map([neverMade(3), neverMade(4)]))
  })

  test.each([
    ['all its jobs were made, although it has fewer', clusterRemoved(3, '\tComplete')],
    ['all its jobs were made before it was removed', clusterRemoved(5, '\tIncomplete')],
    ['making them failed', clusterRemoved(3, '\tError -1')],
    ['another one was removed', clusterRemoved(3, '\tIncomplete', '037.-01.000')],
    ['it was only submitted', event('035', 0, `Cluster submitted from host: ${from}`, [], '036.-01.000')],
  ])('tells nothing of its jobs if %s', (_, text) => {
    expect(readEvents(text, 36).size).toBe(0)
  })
})

describe('the time of an event', () => {
  const inZone = (zone: string) => {
    vi.stubEnv('TZ', zone)
    onTestFinished(() => void vi.unstubAllEnvs())
  }

  test.each([
    ['2026-03-01 10:00:00', Date.UTC(2026, 2, 1, 1)],
    ['2026-03-01 10:00:00.250', Date.UTC(2026, 2, 1, 1, 0, 0, 250)],
    ['2026-03-01 10:00:00Z', Date.UTC(2026, 2, 1, 10)],
  ])('%s is of this host, unless it says UTC', (time, started) => {
    inZone('Asia/Tokyo')
    expect(readEvents(`001 (36.0.0) ${time} Job executing\n...\n`, 36).get(0)).toMatchObject({ started })
  })

  // A job that was submitted in London at half past one, for the second time in that night.
  const submitted = Date.UTC(2026, 9, 25, 1, 30, 2)
  test.each([
    ['000 (036.000.000) 2026-10-25 01:30:00', 'Europe/London', 0],
    ['000 (036.000.000) 2026-10-25 01:30:00', 'America/New_York', -4],
    ['000 (036.000.000) 2026-10-25 01:30:00.250', 'Asia/Kathmandu', 5.75],
    ['035 (036.-01.-01) 10/25 01:30:00', 'Asia/Tokyo', 9],
    ['000 (036.000.000) 2026-10-25 01:30:00Z', 'America/New_York', 0],
    ['005 (036.000.000) 2026-10-25 09:30:00', 'Europe/London', 0],
    ['', 'Europe/London', 0],
  ])('is shifted to the zone of this process if a log that begins with "%s" is read in %s', (first, zone, hours) => {
    inZone(zone)
    expect(zoneShift(`${first} Job submitted from host: ${from}\n...\n`, submitted)).toBe(hours * 3_600_000)
  })

  test.each([0, 1, 360])('without a year is the last such day, as %i days ago', days => {
    inZone('UTC')
    const started = Math.floor(Date.now() / 1000 - days * 86_400) * 1000
    const [, month, day, clock] = /-(\d\d)-(\d\d)T([\d:]+)/.exec(new Date(started).toISOString())!
    const state = readEvents(`001 (36.0.0) ${month}/${day} ${clock} Job executing\n...\n`, 36).get(0)
    expect(state).toMatchObject({ started, host: null })
  })
})

describe('any part of an event log', () => {
  const before = fc.array(fc.constantFrom(executing, image, evicted, shadow, held, released, disconnected))
  const ends = fc.constantFrom([], [finished], [overTime])
  const job = fc.tuple(before, ends).map(([events, last]) => [submitted, ...events, ...last])
  const three = fc.tuple(job, job, job).map(jobs => {
    const turns = Array.from({ length: 12 }, (_, turn) => jobs.map(events => events[turn] ?? ''))
    return turns.flatMap(events => events.map((text, proc) => text.replace('.007.', `.00${proc}.`)))
  })
  const part = fc.double({ min: 0, max: 1, noNaN: true })

  test('with the removal of the cluster anywhere in it tells the same of the jobs that were made', () => {
    fc.assert(
      fc.property(three, part, (events, share) => {
        const place = Math.floor(share * events.length)
        const removed = events.toSpliced(place, 0, clusterRemoved(3, '\tIncomplete'))
        const words = readEvents(removed.join(''), 36)
        for (const proc of [3, 4]) expect(words.get(proc)).toMatchObject({ outcome: 'cancelled', started: null })
        expect(new Map([...words].filter(([proc]) => proc < 3))).toEqual(readEvents(events.join(''), 36))
      }),
    )
  })

  test('tells what its complete events tell, and has no end and no start that is not in the whole log', () => {
    fc.assert(
      fc.property(three, part, (events, share) => {
        const text = events.join('')
        const cut = text.slice(0, Math.floor(share * text.length))
        const complete = events.filter((_, last) => events.slice(0, last + 1).join('').length <= cut.length)
        const [words, whole] = [readEvents(cut, 36), readEvents(text, 36)]
        expect(words).toEqual(readEvents(complete.join(''), 36))
        for (const [proc, state] of words) {
          const last = whole.get(proc)!
          if (state.kind === 'ended') expect(last).toEqual(state)
          else if ('restarts' in state && 'restarts' in last) expect(state.restarts).toBeLessThanOrEqual(last.restarts)
        }
      }),
    )
  })
})

import { signalName } from '../../domain/runs/group-record.js'
import type { Usage } from '../../domain/runs/run.js'
import type { SchedulerState } from '../../domain/runs/verdicts.js'
import { eventEnd } from '../../runfolder/evidence/event-log.js'
import type { JobHandle } from '../types.js'

/** The state of a job after its events so far. */
export interface JobState {
  /** Null if only its submission is known: it may have been submitted as held. */
  readonly state: SchedulerState | null
  /** How often it was executed and requeued. */
  readonly restarts: number
  readonly started: number | null
}

/** A job without events. */
export const newJob: JobState = { state: null, restarts: 0, started: null }

/**
 * `NNN (cluster.proc.subproc) time text`; the time is from the schedd's clock, without a year in older versions. An event
 * of a whole cluster has -1 as proc.
 */
const header =
  /^(\d{3}) \((\d+)\.(-?\d+)\.-?\d+\) (\d\d\d\d-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?Z?|\d\d\/\d\d \d\d:\d\d:\d\d) (.*)$/

/** A pattern that matches the events of one job. */
export function eventOf(cluster: string, proc: number): RegExp {
  return new RegExp(`^\\d{3} \\(0*${cluster}\\.0*${proc}\\.\\d+\\) `)
}

/**
 * Applies new events of a log (HTCondor's manual, "Job Event Log Codes"). Events of other clusters are ignored.
 * @param text complete events, each with its {@link eventEnd}
 * @param jobs the jobs with an event so far; changed in place
 * @param before the state of a job that is not in `jobs`
 * @param shift from {@link zoneShift}
 */
export function readEvents(
  text: string,
  { id, count }: Pick<JobHandle, 'id' | 'count'>,
  jobs: Map<number, JobState>,
  before: (proc: number) => JobState,
  shift: number,
): void {
  const cluster = Number(id)
  for (const event of text.split(eventEnd).slice(0, -1)) {
    const [first, ...details] = event.split('\n') as [string, ...string[]]
    const match = header.exec(first)
    if (!match || Number(match[2]) !== cluster) continue
    const code = match[1]!
    const time = eventTime(match[4]!) + shift
    for (const proc of code === '036' ? neverMade(details, count) : [Number(match[3])]) {
      const facts = { code, time, text: match[5]!, details, jobId: `${cluster}.${proc}` }
      const after = next(jobs.get(proc) ?? before(proc), facts)
      if (after) jobs.set(proc, after)
    }
  }
}

/**
 * The jobs of a cluster that was removed before they were made (max_materialize): they have no event of their own. HTCondor
 * makes the jobs in ascending order.
 */
function* neverMade(details: readonly string[], count: number): Generator<number> {
  const made = /Materialized (\d+) jobs from \d+ items\.\s*Incomplete/.exec(details.join('\n'))?.[1]
  for (let proc = made === undefined ? count : Number(made); proc < count; proc++) yield proc
}

interface Event {
  readonly code: string
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly text: string
  readonly details: readonly string[]
  readonly jobId: string
}

/** Null for an event that changes nothing. */
function next(before: JobState, { code, time, text, details, jobId }: Event): JobState | null {
  const isRunning = before.state?.kind === 'running'
  const restarts = before.restarts + Number(isRunning)
  const end = { exitCode: null, signal: null, started: before.started, finished: time, host: null, jobId }
  switch (code) {
    case '013':
      return { ...before, state: { kind: 'pending', restarts: before.restarts } }
    case '001': {
      const host = /alias=([^&>]+)/.exec(text)?.[1] ?? null
      const state = { kind: 'running', restarts: before.restarts, started: time, host, jobId } as const
      return { ...before, state, started: time }
    }
    case '010':
    case '011': {
      if (before.state?.kind !== 'running') return null
      const { suspended: _, ...state } = before.state
      return { ...before, state: { ...state, ...(code === '010' && { suspended: true }) } }
    }
    case '004':
    case '007':
    case '024':
      return { state: { kind: 'pending', restarts }, restarts, started: before.started }
    case '012':
      return { state: { kind: 'held', restarts, reason: holdReason(details) }, restarts, started: before.started }
    case '005':
      return { ...before, state: { kind: 'ended', ...end, ...terminationOf(details), ...usageOf(end, details) } }
    case '009':
    case '036': {
      const outcome = details.some(line => line.includes('QanatTimeLimit')) ? 'timeout' : 'cancelled'
      return { ...before, state: { kind: 'ended', ...end, outcome } }
    }
    default:
      return null
  }
}

function terminationOf(details: readonly string[]) {
  const text = details.join('\n')
  const code = /Normal termination \(return value (\d+)\)/.exec(text)?.[1]
  if (code !== undefined) {
    return { outcome: code === '0' ? ('finished' as const) : ('exit' as const), exitCode: Number(code) }
  }
  const signal = /Abnormal termination \(signal (\d+)\)/.exec(text)?.[1]
  return { outcome: 'signal' as const, signal: signal === undefined ? null : signalName(Number(signal)) }
}

/** A job may have ended before HTCondor has looked at its memory a second time, in milliseconds. */
const firstSample = 10_000

/**
 * The peak of the memory from the table of resources: usage, request, allocated. The CPU time of an event is left out,
 * since HTCondor counts only processes that are alive when it looks.
 */
function usageOf({ started, finished }: { started: number | null; finished: number }, details: readonly string[]) {
  const megabytes = Number(/^\s*Memory \(MB\) *: +(\d+) +\d+ +\d+/m.exec(details.join('\n'))?.[1] ?? 0)
  if (megabytes === 0 || started === null || finished - started < firstSample) return {}
  const used: Usage = { peakMemory: megabytes * 1024 ** 2, cpuTime: null }
  return { used }
}

/** The schedd's reason, which is the first line of details. */
function holdReason(details: readonly string[]): string | null {
  return details[0]?.trim() || null
}

/** Time zones differ by multiples of this, in milliseconds. A submission takes less than half of it. */
const zoneStep = 15 * 60_000

/**
 * What to add to the times of a log, in milliseconds: they are local times of the schedd, and this process may be in another
 * time zone.
 * @param text the first events of the log
 * @param submitted when the cluster was submitted according to this host, in milliseconds since the epoch
 * @returns 0 if the log does not begin with the submission: a script may have removed it, and HTCondor has begun another
 */
export function zoneShift(text: string, submitted: number): number {
  const time = /^(?:000|035) \(\S+\) (\d\S* [\d:.]+Z?) /.exec(text)?.[1]
  if (time === undefined) return 0
  // Compare what clocks on the wall show, which is the same in the same zone, also in the hour that autumn repeats.
  const difference = wallClock(submitted) - wallClock(eventTime(time))
  return Math.round(difference / zoneStep) * zoneStep
}

function wallClock(time: number): number {
  return time - new Date(time).getTimezoneOffset() * 60_000
}

/** Parses local time of this process, or UTC with a `Z`. */
function eventTime(text: string): number {
  if (text.includes('-')) return Date.parse(text.replace(' ', 'T'))
  const [, month, day, clock] = /^(\d\d)\/(\d\d) (.*)$/.exec(text) as unknown as [string, string, string, string]
  const year = new Date().getFullYear()
  const time = Date.parse(`${year}-${month}-${day}T${clock}`)
  // Without a year, the most recent such day is meant.
  return time > Date.now() + 86_400_000 ? Date.parse(`${year - 1}-${month}-${day}T${clock}`) : time
}

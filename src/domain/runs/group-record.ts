import { constants } from 'node:os'
import { type GroupStatus, mergedUsage, type Usage } from './run.js'

/**
 * Lines of the journals that job scripts append to, one record a line, each written with a single call:
 *
 *     1 start <index> <attempt> <pid> <start> <host> <job id> <restarts>
 *     1 end <index> <attempt> <code> <outcome> <start> <end> <cpu> <memory> <gpus> <host> <job id> <restarts>
 *
 * Times are seconds since the epoch, `-` means no value. `outcome` is `exit` (the group ran and ended),
 * `incomplete` (it ended with code 0, but without the outputs that its experiment declares), `launch` (it failed before the
 * script), `stopped` (it was told to end), `timeout` (its time limit was reached or near), `oom` (it had too much memory) or
 * `skipped` (it was not started, since enough others had failed).
 * `cpu` is the CPU time in hundredths of a second, `memory` the peak in bytes, `gpus` the ids of the GPUs it was dealt.
 * `restarts` counts how often a scheduler had started the job before.
 */
export type GroupRecord = StartRecord | EndRecord

export interface StartRecord {
  readonly kind: 'start'
  readonly index: number
  readonly attempt: number
  readonly pid: number
  readonly started: number
  readonly host: string
  readonly jobId: string | null
  readonly restarts: number
}

export interface EndRecord {
  readonly kind: 'end'
  readonly index: number
  readonly attempt: number
  readonly code: number
  readonly outcome: (typeof outcomes)[number]
  readonly started: number
  readonly ended: number
  /** Missing if the job script could not measure anything. */
  readonly used?: Usage
  readonly host: string
  readonly jobId: string | null
  readonly restarts: number
}

const outcomes = ['exit', 'incomplete', 'launch', 'stopped', 'timeout', 'oom', 'skipped'] as const
export const recordVersion = '1'

/** Parses one complete line; null for a line of a later version or one that was cut by a crash. */
export function parseRecord(line: string): GroupRecord | null {
  const words = line.split(' ')
  const [version, kind, index, attempt] = words
  if (version !== recordVersion || words.includes('')) return null
  const [host = '', job, restarts] = words.slice(-3)
  const jobId = job === undefined || job === '-' ? null : job
  const common = { index: Number(index), attempt: Number(attempt), host, jobId, restarts: Number(restarts) }
  if (kind === 'start' && words.length === 9) {
    const [pid, started = ''] = words.slice(4)
    return { kind, ...common, pid: Number(pid), started: milliseconds(started) }
  }
  if (kind !== 'end' || words.length !== 14) return null
  const [code, written, started = '', ended = '', cpu = '', memory = '', gpus = ''] = words.slice(4)
  const outcome = outcomes.find(candidate => candidate === written)
  if (outcome === undefined) return null
  const used = usageOf(cpu, memory, gpus)
  // The clock may have been set back meanwhile.
  const times = { started: milliseconds(started), ended: Math.max(milliseconds(started), milliseconds(ended)) }
  return { kind, ...common, code: Number(code), outcome, ...times, ...(used && { used }) }
}

/**
 * The status of a group according to its end record alone.
 * @param cancelled whether the attempt was cancelled: a group is also told to end at a shutdown
 */
export function statusOfEnd(record: EndRecord, cancelled: boolean): GroupStatus {
  if (record.outcome === 'skipped') {
    return { state: 'cancelled', started: null, finished: null, host: null, jobId: record.jobId }
  }
  const end = { started: record.started, finished: record.ended, host: record.host, jobId: record.jobId }
  if (record.outcome === 'stopped' || isTerminated(record)) {
    if (cancelled) return { state: 'cancelled', ...end }
    return { state: 'failed', cause: 'signal', exitCode: record.code, signal: 'SIGTERM', ...end }
  }
  if (record.outcome !== 'exit')
    return { state: 'failed', cause: record.outcome, exitCode: record.code, signal: null, ...end }
  if (record.code === 0) return { state: 'finished', exitCode: 0, ...end }
  // A shell reports death by signal N as 128 + N.
  const signal = signalName(record.code - 128)
  return { state: 'failed', cause: signal ? 'signal' : 'exit', exitCode: record.code, signal, ...end }
}

/**
 * Whether a script died from SIGTERM. A scheduler that ends a job sends it to all processes of the job, and the script may
 * be dead before the shell around it knows that the group was told to end.
 */
export function isTerminated({ outcome, code }: EndRecord): boolean {
  return outcome === 'exit' && code === 128 + constants.signals.SIGTERM
}

/** Whether a record is the end of a group, and nobody outside of its job told it to end. */
export function hasEndedByItself(record: GroupRecord): boolean {
  return record.kind === 'end' && record.outcome !== 'stopped' && !isTerminated(record)
}

/** The name of a signal; null for any other number. */
export function signalName(number: number): string | null {
  return signalNames.get(number) ?? null
}

/** Names of signals by number; the first of several names is used. */
const signalNames: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
)

/** `1732180000.123456`, with the comma of some locales, or whole seconds. */
function milliseconds(seconds: string): number {
  return Math.round(Number(seconds.replace(',', '.')) * 1000)
}

/** @param cpu hundredths of a second @param memory bytes */
function usageOf(cpu: string, memory: string, gpus: string): Usage | undefined {
  const number = (word: string) => (/^\d+$/.test(word) ? Number(word) : null)
  const hundredths = number(cpu)
  return mergedUsage({
    peakMemory: number(memory),
    cpuTime: hundredths === null ? null : hundredths / 100,
    ...(gpus !== '-' && { gpus }),
  })
}

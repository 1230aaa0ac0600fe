import type { FailureCause, GroupReport, GroupState, GroupStatus, LossCause } from '../domain/runs/run.js'
import { damaged } from './stored-json.js'

/** Stored as the reason of a running group that a scheduler has suspended. */
const suspended = 'suspended'

/** A row of the table `groups`. */
export interface GroupRow {
  readonly run_id: number
  readonly number: number
  readonly state: GroupState
  readonly cause: string | null
  readonly exit_code: number | null
  readonly signal: string | null
  readonly host: string | null
  readonly job_id: string | null
  readonly started: number | null
  readonly finished: number | null
  readonly reason: string | null
  readonly restarts: number
  readonly awaiting: number | null
  readonly attempt: number
  /** Bytes. */
  readonly peak_memory: number | null
  /** Seconds. */
  readonly cpu_time: number | null
}

/** The report that a row holds. */
export function reportOfRow(row: GroupRow): GroupReport {
  return {
    index: row.number,
    status: statusOfRow(row),
    ...(row.attempt > 1 && { attempt: row.attempt }),
    ...(row.restarts > 0 && { restarts: row.restarts }),
    ...(row.awaiting !== null && { awaiting: row.awaiting }),
  }
}

/** The part of a row that holds the status. */
export type StatusRow = Omit<GroupRow, 'run_id' | 'number' | 'restarts' | 'awaiting' | 'attempt'>

/** The status that a row holds. */
export function statusOfRow(row: StatusRow): GroupStatus {
  const { state, host, started, finished, job_id: jobId } = row
  const { peak_memory: peakMemory, cpu_time: cpuTime } = row
  const isUsageKnown = peakMemory !== null || cpuTime !== null
  const end = { started, finished, host, jobId, ...(isUsageKnown && { used: { peakMemory, cpuTime } }) }
  switch (state) {
    case 'held':
      return { state, reason: row.reason }
    case 'running':
      return { state, started: started!, host, jobId, ...(row.reason === suspended && { suspended: true }) }
    case 'finished':
      return { state, exitCode: 0, ...end }
    case 'failed':
      return { state, cause: row.cause as FailureCause, exitCode: row.exit_code, signal: row.signal, ...end }
    case 'cancelled':
      return { state, ...end }
    case 'lost':
      return { state, cause: row.cause as LossCause, ...end }
    case 'pending':
      return { state }
    default:
      throw damaged(`it has a group in the state '${state}'`)
  }
}

function reasonOf(status: GroupStatus): string | null {
  if (status.state === 'held') return status.reason
  return status.state === 'running' && status.suspended ? suspended : null
}

/** The row that holds a report. */
export function rowOfReport(runId: number, { index, status, restarts, awaiting, attempt }: GroupReport): GroupRow {
  const used = 'used' in status ? status.used : undefined
  return {
    run_id: runId,
    number: index,
    state: status.state,
    cause: 'cause' in status ? status.cause : null,
    exit_code: 'exitCode' in status ? status.exitCode : null,
    signal: 'signal' in status ? status.signal : null,
    host: 'host' in status ? status.host : null,
    job_id: 'jobId' in status ? status.jobId : null,
    started: 'started' in status ? status.started : null,
    finished: 'finished' in status ? status.finished : null,
    reason: reasonOf(status),
    restarts: restarts ?? 0,
    awaiting: awaiting ?? null,
    attempt: attempt ?? 1,
    peak_memory: used?.peakMemory ?? null,
    cpu_time: used?.cpuTime ?? null,
  }
}

import type { FailureCause, GroupReport, GroupState, GroupStatus, LossCause } from '../domain/runs/run.js'
import type { Connection } from './database.js'
import { damaged } from './stored-json.js'

/** Stored as the reason of a running group that a scheduler has suspended. */
const suspended = 'suspended'

/** A row of the table `groups`. */
interface GroupRow {
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

/** The columns that hold the status of a group, in the order of {@link statusOfValues}. */
export const statusColumns = [
  ...(['state', 'cause', 'exit_code', 'signal', 'host', 'job_id', 'started', 'finished', 'reason'] as const),
  ...(['peak_memory', 'cpu_time'] as const),
]

/** Values of {@link statusColumns}. */
export type StatusValues = Parameters<typeof statusOfValues>

/**
 * Reads groups. Rows as arrays take half of the time of rows as objects.
 * @param rest of the query: its conditions and the order
 */
export function readReports(connection: Connection, rest: string, ...parameters: readonly unknown[]): GroupReport[] {
  const sql = `SELECT number, attempt, restarts, awaiting, ${statusColumns.join(', ')} FROM groups ${rest}`
  const rows = connection
    .prepare(sql)
    .raw()
    .all(...parameters) as Parameters<typeof reportOf>[]
  return rows.map(values => reportOf(...values))
}

function reportOf(
  index: number,
  attempt: number,
  restarts: number,
  awaiting: number | null,
  ...status: StatusValues
): GroupReport {
  return {
    index,
    status: statusOfValues(...status),
    ...(attempt > 1 && { attempt }),
    ...(restarts > 0 && { restarts }),
    ...(awaiting !== null && { awaiting }),
  }
}

/** The status that the columns of a group hold. */
export function statusOfValues(
  state: GroupState,
  cause: string | null,
  exitCode: number | null,
  signal: string | null,
  host: string | null,
  jobId: string | null,
  started: number | null,
  finished: number | null,
  reason: string | null,
  peakMemory: number | null,
  cpuTime: number | null,
): GroupStatus {
  const isUsageKnown = peakMemory !== null || cpuTime !== null
  const end = { started, finished, host, jobId, ...(isUsageKnown && { used: { peakMemory, cpuTime } }) }
  switch (state) {
    case 'held':
      return { state, reason }
    case 'running':
      return { state, started: started!, host, jobId, ...(reason === suspended && { suspended: true }) }
    case 'finished':
      return { state, exitCode: 0, ...end }
    case 'failed':
      return { state, cause: cause as FailureCause, exitCode, signal, ...end }
    case 'cancelled':
      return { state, ...end }
    case 'lost':
      return { state, cause: cause as LossCause, ...end }
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

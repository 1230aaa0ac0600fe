import {
  type FailureCause,
  type GroupReport,
  type GroupState,
  type GroupStatus,
  type LossCause,
  unknownUsage,
} from '../../domain/runs/run.js'
import type { Connection } from '../database.js'
import { damaged } from './stored-json.js'

/** Stored as the reason of a running group that a scheduler has suspended. */
const suspended = 'suspended'

/** The columns that hold the status of a group, in the order of {@link statusOfValues}. */
export const statusColumns = [
  ...(['state', 'cause', 'exit_code', 'signal', 'host', 'job_id', 'started', 'finished', 'reason'] as const),
  ...(['peak_memory', 'cpu_time', 'gpus'] as const),
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
  gpus: string | null,
): GroupStatus {
  const isUsageKnown = peakMemory !== null || cpuTime !== null || gpus !== null
  const end = {
    started,
    finished,
    host,
    jobId,
    ...(isUsageKnown && { used: { peakMemory, cpuTime, ...(gpus !== null && { gpus }) } }),
  }
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

/** A statement that stores {@link storedReport}. */
export const storeReport = `INSERT OR REPLACE INTO groups VALUES (@run, @index, @state, @cause, @exitCode, @signal, @host, @jobId,
  @started, @finished, @reason, @restarts, @awaiting, @attempt, @peakMemory, @cpuTime, @gpus)`

/** The values of a report in the table of groups, by their names in {@link storeReport}. */
export function storedReport(run: number, report: GroupReport): Readonly<Record<string, unknown>> {
  const { status, restarts = 0, awaiting = null, attempt = 1, index } = report
  const nothing = { cause: null, exitCode: null, signal: null, host: null, jobId: null, started: null, finished: null }
  const usage = 'used' in status && status.used ? status.used : unknownUsage
  const reason = status.state === 'running' && status.suspended ? suspended : null
  return { ...nothing, reason, ...(status as object), gpus: null, ...usage, run, index, restarts, awaiting, attempt }
}

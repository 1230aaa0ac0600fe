import { signalName } from '../../domain/runs/group-record.js'
import type { Usage } from '../../domain/runs/run.js'
import type { SchedulerState } from '../../domain/runs/verdicts.js'

/** States of squeue and sacct (SchedMD, "Job state codes"), with their meaning for a group. */
const meanings: Readonly<Record<string, Live | Outcome>> = {
  PENDING: 'pending',
  REQUEUED: 'pending',
  REQUEUE_FED: 'pending',
  EXPEDITING: 'pending',
  CONFIGURING: 'pending',
  POWER_UP_NODE: 'pending',
  REQUEUE_HOLD: 'held',
  SPECIAL_EXIT: 'held',
  RESV_DEL_HOLD: 'held',
  RUNNING: 'running',
  SIGNALING: 'running',
  RESIZING: 'running',
  COMPLETING: 'completing',
  STAGE_OUT: 'running',
  SUSPENDED: 'running',
  STOPPED: 'running',
  COMPLETED: 'finished',
  FAILED: 'exit',
  TIMEOUT: 'timeout',
  DEADLINE: 'deadline',
  OUT_OF_MEMORY: 'oom',
  NODE_FAIL: 'node_fail',
  BOOT_FAIL: 'node_fail',
  LAUNCH_FAILED: 'launch',
  CANCELLED: 'cancelled',
  REVOKED: 'cancelled',
  PREEMPTED: 'preempted',
}

const live = ['pending', 'held', 'running', 'completing'] as const
type Live = (typeof live)[number]
type Outcome = Extract<SchedulerState, { kind: 'ended' }>['outcome']

/** Reasons of pending jobs that somebody must release: JobHeldUser, `launch failed requeued held`, … */
const holdReason = /held|JobHoldMaxRequeue/i

/** A line of squeue or sacct. Times are milliseconds since the epoch. */
export interface SlurmJob {
  readonly state: string
  /** `code:signal`. */
  readonly exitCode: string
  readonly restarts: number
  readonly started: number | null
  readonly finished: number | null
  readonly host: string | null
  readonly reason: string
  /** According to the accounting; missing if that does not say. */
  readonly used?: Usage | undefined
}

/** The answer about a group; null for an unknown state. @param jobId the id that the user sees, `36_7` */
export function stateOfJob(jobId: string, job: SlurmJob): SchedulerState | null {
  // `CANCELLED by 1001`
  const meaning = meanings[job.state.split(' ')[0]!]
  // Times and hosts are read only where they are needed: most of ten thousand jobs are pending.
  const { restarts } = job
  switch (meaning) {
    case undefined:
      return null
    case 'pending':
      return holdReason.test(job.reason)
        ? { kind: 'held', restarts, reason: job.reason }
        : { kind: 'pending', restarts }
    case 'held':
      return { kind: 'held', restarts, reason: job.reason }
    case 'running': {
      const { started, host } = job
      if (started === null) return null
      return { kind: 'running', restarts, started, host, jobId, ...(isSuspended(job) && { suspended: true }) }
    }
    case 'completing':
      return { kind: 'completing', restarts }
    default: {
      const { started, finished, host, used } = job
      const [code = 0, signal = 0] = job.exitCode.split(':').map(Number)
      // For a job that was ended before it started, squeue gives the time of its end as its start.
      const mayBeUnstarted = meaning === 'cancelled' || meaning === 'deadline'
      const begun = mayBeUnstarted && started === finished ? null : started
      const common = {
        exitCode: code,
        signal: signalName(signal),
        started: begun,
        finished,
        host,
        jobId,
        ...(used && { used }),
      }
      return { kind: 'ended', outcome: meaning === 'exit' && signal !== 0 ? 'signal' : meaning, ...common }
    }
  }
}

function isSuspended({ state }: SlurmJob): boolean {
  return state === 'SUSPENDED' || state === 'STOPPED'
}

/** Whether the state of a job is a live one. */
export function isLiveJob({ state }: SlurmJob): boolean {
  return live.some(meaning => meaning === meanings[state])
}

/** Whether a job in this state waits to start: its reason says what for. */
export function isWaiting(state: string): boolean {
  const meaning = meanings[state]
  return meaning === 'pending' || meaning === 'held'
}

/** Parses a time of Slurm, in UTC; null for `Unknown`, `None` and `N/A`. */
export function slurmTime(text: string): number | null {
  const time = Date.parse(`${text}Z`)
  return Number.isNaN(time) ? null : time
}

/** A host; null for `(null)`, `None assigned` and an empty text. */
export function slurmHost(text: string): string | null {
  return text === '' || text === '(null)' || text === 'None assigned' ? null : text
}

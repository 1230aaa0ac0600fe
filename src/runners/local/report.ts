import { existsSync } from 'node:fs'
import { type EndRecord, statusOfEnd } from '../../domain/runs/group-record.js'
import type { GroupReport, GroupStatus } from '../../domain/runs/run.js'
import { cancelFile } from '../../runfolder/layout.js'
import { bootId, isAlive, livesSince, type ProcessIdentity } from '../../system/process-identity.js'
import type { PolledRun } from '../types.js'
import { readRecords, type WorkerStart } from './records.js'

type ReportedRun = Pick<PolledRun, 'storagePath' | 'groupCount' | 'known'>

interface Situation {
  /** Something that could start further groups lives. */
  readonly working: boolean
  readonly cancelled: boolean
  lives(start: WorkerStart): boolean
}

/**
 * What can be said of the groups of a local run, from this host.
 *
 * As long as the supervisor or a shell of a slot lives, what has not started is pending (not reported).
 * A group that started and has no end lives if its shell or one of its own processes does; otherwise it is lost,
 * or cancelled if that was asked for.
 */
export function reportGroups(run: ReportedRun, supervisors: readonly ProcessIdentity[]): GroupReport[] {
  const situation = situationOf(run.storagePath, supervisors)
  // Read after life was asked for: what was dead by then can have written nothing since.
  const { ends, starts } = readRecords(run.storagePath)
  const reports: GroupReport[] = []
  for (let index = 0; index < run.groupCount; index++) {
    const attempt = run.known.get(index)?.attempt ?? 1
    const end = ends.get(index)
    const begun = (starts.get(index) ?? []).filter(start => start.attempt >= attempt)
    const status = statusOf(end && end.attempt >= attempt ? end : undefined, begun, situation)
    if (status) reports.push({ index, status, ...(attempt > 1 && { attempt }) })
  }
  return reports
}

function situationOf(storagePath: string, supervisors: readonly ProcessIdentity[]): Situation {
  const here = bootId()
  const shells = readRecords(storagePath).workers.filter(shell => shell.bootId === here)
  const living = shells.filter(isAlive)
  // A shell that was not there yet when life was asked for is taken to live.
  const dead = new Set(shells.filter(shell => !living.includes(shell)).map(shell => shell.pid))
  const boot = supervisors.at(-1)?.bootId
  return {
    working: supervisors.some(isAlive) || living.length > 0,
    cancelled: existsSync(`${storagePath}/${cancelFile}`),
    lives({ worker, pid, started }) {
      if ((worker?.bootId ?? boot) !== here) return false
      return (worker !== undefined && !dead.has(worker.pid)) || livesSince(pid, started)
    },
  }
}

function statusOf(
  end: EndRecord | undefined,
  starts: readonly WorkerStart[],
  { working, cancelled, lives }: Situation,
): GroupStatus | null {
  if (end) return statusOfEnd(end, cancelled)
  const [start] = starts
  if (start && starts.some(lives)) {
    return { state: 'running', started: start.started, host: start.host, jobId: start.jobId }
  }
  if (!start && working) return null
  const known = { started: start?.started ?? null, finished: null, host: start?.host ?? null, jobId: null }
  if (cancelled) return { state: 'cancelled', ...known }
  return { state: 'lost', cause: start ? 'vanished' : 'never_started', ...known }
}

import { existsSync } from 'node:fs'
import { type EndRecord, statusOfEnd } from '../../domain/group-record.js'
import type { GroupReport, GroupStatus } from '../../domain/run.js'
import { bootId, isAlive, livesSince, type ProcessIdentity } from '../../system/process-identity.js'
import { cancelFile } from '../run-folder.js'
import type { SubmissionIntent } from '../types.js'
import { readRecords, type WorkerStart } from './records.js'

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
export function reportGroups(intent: SubmissionIntent, supervisor: ProcessIdentity): GroupReport[] {
  const situation = situationOf(intent.storagePath, supervisor)
  // Read after life was asked for: what was dead by then can have written nothing since.
  const { ends, starts } = readRecords(intent.storagePath)
  const reports: GroupReport[] = []
  for (let index = 0; index < intent.groupCount; index++) {
    const status = statusOf(ends.get(index), starts.get(index) ?? [], situation)
    if (status) reports.push({ index, status })
  }
  return reports
}

function situationOf(storagePath: string, supervisor: ProcessIdentity): Situation {
  const sameBoot = supervisor.bootId === bootId()
  const shells = sameBoot ? readRecords(storagePath).workers : []
  const living = shells.filter(isAlive)
  // A shell that was not there yet when life was asked for is taken to live.
  const dead = new Set(shells.filter(shell => !living.includes(shell)).map(shell => shell.pid))
  return {
    working: isAlive(supervisor) || living.length > 0,
    cancelled: existsSync(`${storagePath}/${cancelFile}`),
    lives: start => sameBoot && ((start.worker && !dead.has(start.worker.pid)) || livesSince(start.pid, start.started)),
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

import { existsSync } from 'node:fs'
import { judgeGroup, type KnownGroup, type SchedulerWord, unknownGroup } from '../../domain/runs/judge-group.js'
import { type GroupReport, hasEnded } from '../../domain/runs/run.js'
import { cancelFile } from '../../runfolder/layout.js'
import type { PolledRun, PollOptions } from '../types.js'
import { GroupRecords } from './group-records.js'
import { type Location, locator } from './locate.js'

/** What a scheduler says of the group at that place; null where it was not asked or did not answer. */
export type WordOf = (location: Location) => SchedulerWord | null

/**
 * Merges, for each group of a run, what its job has recorded, what the scheduler says and what is stored.
 * @returns the groups that are not as they are known
 */
export function reportRun(run: PolledRun, wordOf: WordOf, { now, grace }: PollOptions): GroupReport[] {
  const records = new GroupRecords(run.storagePath)
  const cancelled = existsSync(`${run.storagePath}/${cancelFile}`)
  const locate = locator(run.handles)
  const reports: GroupReport[] = []
  for (let index = 0; index < run.groupCount; index++) {
    const stored = run.known.get(index)
    const attempt = stored?.attempt ?? 1
    const known = knownOf(stored)
    const location = locate(index)
    const word = location?.handle.attempt === attempt ? wordOf(location) : unsubmitted(run)
    // The journal of a group whose end is settled says nothing new unless the scheduler has started it again.
    const isDone = hasEnded(known.status.state) && known.awaiting === null && known.status.state !== 'lost'
    const record = isDone && !isRestart(word, known) ? null : records.last(index, attempt)
    const judged = judgeGroup({ record, word, known, cancelled, now, grace })
    if (judged !== known && !isSame(judged, known)) reports.push(reportOf(index, attempt, judged))
  }
  return reports
}

/** While the launch may submit more, nothing can be said of a group that it has not come to. */
function unsubmitted({ complete }: PolledRun): SchedulerWord | null {
  return complete ? { kind: 'gone' } : null
}

function isRestart(word: SchedulerWord | null, known: KnownGroup): boolean {
  return word !== null && 'restarts' in word && word.restarts > known.restarts
}

function knownOf(report: GroupReport | undefined): KnownGroup {
  if (!report) return unknownGroup
  return { status: report.status, restarts: report.restarts ?? 0, awaiting: report.awaiting ?? null }
}

function isSame(judged: KnownGroup, known: KnownGroup): boolean {
  return (
    judged.restarts === known.restarts &&
    judged.awaiting === known.awaiting &&
    JSON.stringify(judged.status) === JSON.stringify(known.status)
  )
}

function reportOf(index: number, attempt: number, { status, restarts, awaiting }: KnownGroup): GroupReport {
  return {
    index,
    status,
    ...(attempt > 1 && { attempt }),
    ...(restarts > 0 && { restarts }),
    ...(awaiting !== null && { awaiting }),
  }
}

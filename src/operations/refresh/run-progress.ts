import { join } from 'node:path'
import type { GroupReport } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { type ProgressCursor, readProgress } from '../../runfolder/evidence/progress.js'
import type { RunSnapshot } from './known-run.js'

/** The progress of a run, and how far its progress files have been read. */
export interface RunProgress {
  /** 0 to 100, with one decimal: the mean over all groups. */
  readonly percentage: number
  /** Cursors of running groups, by index. */
  readonly cursors: Readonly<Record<number, ProgressCursor>>
}

/** A finished group counts as 100, a running one as much as its progress file says, any other as 0. */
export function progressOf(snapshot: RunSnapshot, reports: readonly GroupReport[]): RunProgress {
  const { run, known, asked, cursor } = snapshot
  const before = (cursor?.progress ?? {}) as Readonly<Record<number, ProgressCursor>>
  const changed = new Map(reports.map(report => [report.index, report]))
  const isRunning = ({ status }: GroupReport) => status.state === 'running'
  const stored = run.counts.running > 0 ? [...known.open.values()].filter(({ index }) => !changed.has(index)) : []
  const running = [...stored, ...reports].filter(isRunning)
  const cursors: Record<number, ProgressCursor> = {}
  for (const { index } of running) {
    const file = join(groupFolder(asked.place.here, known.groupCount, index), 'progress.txt')
    const read = readProgress(file, before[index] ?? null)
    if (read) cursors[index] = read
  }
  const said = Object.values(cursors).reduce((sum, { percentage }) => sum + (percentage ?? 0), 0)
  const sum = 100 * finishedAfter(run.counts.finished, snapshot, reports) + said
  return { percentage: Math.round((10 * sum) / known.groupCount) / 10, cursors }
}

function finishedAfter(before: number, { known }: RunSnapshot, reports: readonly GroupReport[]): number {
  const wasFinished = (index: number) =>
    (known.open.get(index) ?? (known.settled.has(index) ? known.stored(index) : null))?.status.state === 'finished'
  const change = reports.map(({ index, status }) => Number(status.state === 'finished') - Number(wasFinished(index)))
  return change.reduce((sum, each) => sum + each, before)
}

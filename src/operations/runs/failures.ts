import { join } from 'node:path'
import { wordsOf } from '../../domain/parameters/arguments.js'
import { argumentsOf } from '../../domain/parameters/grid.js'
import { problemText } from '../../domain/results/reading/found.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import { type GroupReport, importsLiveCode, type Run } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { lastRecord } from '../../runfolder/evidence/group-journals.js'
import { presenceOf } from '../../runfolder/files/presence.js'
import { failuresFile } from '../../runfolder/layout.js'
import { lastErrors } from '../../runfolder/tails.js'
import { warningsIn } from '../../runfolder/warnings.js'
import { absolutePath, readFolder, type Workspace } from '../workspace.js'

/** A group that did not finish, with its last line of stderr. */
export interface Failure {
  readonly report: GroupReport
  readonly arguments: readonly string[]
  /** The last line of its stderr; null if it wrote none. */
  readonly lastError: string | null
}

/** The first groups that did not finish, the failed ones before the lost ones. */
export function firstFailures(workspace: Workspace, run: Run, limit: number): Failure[] {
  const { runs } = workspace.store
  const reports = [...runs.groupsIn(run.id, 'failed', limit), ...runs.groupsIn(run.id, 'lost', limit)].slice(0, limit)
  if (reports.length === 0) return []
  const { grid } = runs.launch(run.id)
  const storagePath = absolutePath(workspace, run.storagePath)
  return reports.map(report => {
    const folder = groupFolder(storagePath, totalOf(run.counts), report.index)
    const [lastError = null] = lastErrors(join(folder, 'stderr.txt'), 1)
    return { report, arguments: wordsOf(argumentsOf(grid, report.index)), lastError }
  })
}

/** Whether groups of a run were cancelled only because as many others had failed as `--max_failures` allows. */
export function hasSkipped(workspace: Workspace, run: Run): boolean {
  const { attempts } = workspace.store.runs.submission(run.id)
  const isOurs = attempts.length === 1 && attempts[0]!.cancelled === null
  return isOurs && run.counts.cancelled > 0 && presenceOf(readFolder(workspace, run), failuresFile) === 'there'
}

/** Whether only the scheduler says that a group failed: its script ended on its own with code 0. */
export function endedWithZero(
  workspace: Workspace,
  run: Run,
  { index, status, attempt = 1, restarts = 0 }: GroupReport,
): boolean {
  if (status.state !== 'failed' || status.exitCode !== 0) return false
  const record = lastRecord(absolutePath(workspace, run.storagePath), index, attempt)
  return record?.kind === 'end' && record.outcome === 'exit' && record.code === 0 && record.restarts === restarts
}

/** Problems that did not make a group fail: in a teardown, a background task, the data, or a file of metrics. */
export function runWarnings(workspace: Workspace, run: Run): string[] {
  const unreadable = workspace.store.readings
    .warnings(run.id)
    .map(({ warning, ...place }) => problemText(warning, place))
  const notes = workspace.store.data.of(run.id).flatMap(fingerprint => fingerprint.notes ?? [])
  return [...warningsIn(absolutePath(workspace, run.storagePath)), ...notes, ...unreadable]
}

/** Whether groups of a run have imported code that its commit does not record, or were about to, as its warnings tell. */
export function runsLiveCode(workspace: Workspace, run: Run): boolean {
  return importsLiveCode(runWarnings(workspace, run))
}

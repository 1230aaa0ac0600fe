import { join, relative } from 'node:path'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import type { LogFile } from '../../runners/types.js'
import { fetchNeeded } from '../folder/fetch-needed.js'
import { submissionsOf } from '../refresh/submissions.js'
import { absolutePath, runnerOf, type Workspace } from '../workspace.js'
import { readGroup } from './find-run.js'

/** Which logs of a run to show. */
export interface LogChoice {
  readonly group?: string | undefined
  readonly stderr: boolean
  readonly scheduler_log: boolean
}

/** Fetches log files of a run elsewhere. @param files absolute, of this machine */
export async function fetchLogs(
  workspace: Workspace,
  run: Run,
  files: readonly Pick<LogFile, 'path'>[],
): Promise<void> {
  const wanted = new Set(files.map(({ path }) => relative(absolutePath(workspace, run.storagePath), path)))
  await fetchNeeded(workspace, run, () => file => wanted.has(file.path))
}

/** The log files of a run; those of groups that have not started do not exist yet. */
export async function logFiles(workspace: Workspace, run: Run, choice: LogChoice): Promise<readonly LogFile[]> {
  const storagePath = absolutePath(workspace, run.storagePath)
  const total = totalOf(run.counts)
  const group = choice.group === undefined ? null : readGroup(run, choice.group)
  if (choice.scheduler_log) {
    const { handles } = await submissionsOf(workspace, run)
    return runnerOf(workspace, run).logFiles(handles, group)
  }
  const indices = group === null ? Array.from({ length: total }, (_, index) => index) : [group]
  const name = choice.stderr ? 'stderr.txt' : 'stdout.txt'
  return indices.map(index => ({ title: `group ${index}`, path: join(groupFolder(storagePath, total, index), name) }))
}

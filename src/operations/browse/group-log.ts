import { join } from 'node:path'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { readPart, type TextPart } from '../../runfolder/part.js'
import { runFolder } from '../folder/run-files.js'
import type { Workspace } from '../workspace.js'

/** The most that is read of a log at once, in bytes. */
const most = 65_536

/**
 * What was added to the output of a group since an earlier look, or its end if that is longer than 64 KB.
 * @param from bytes that are known already; null for none
 * @throws UserError if the folder of the run is gone, or something else is in its place
 */
export function groupLog(
  workspace: Workspace,
  run: Run,
  index: number,
  stream: 'stdout' | 'stderr',
  from: number | null,
): TextPart {
  const folder = runFolder(workspace, run)
  const file = join(groupFolder(folder, totalOf(run.counts), index), `${stream}.txt`)
  return readPart(file, folder, from ?? 0, most)
}

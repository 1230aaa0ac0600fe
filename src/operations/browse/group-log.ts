import { join } from 'node:path'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupIn, presenceOf } from '../../runfolder/files/presence.js'
import { readPart, type TextPart } from '../../runfolder/part.js'
import { refuseAbsent, runFolder } from '../folder/run-files.js'
import { readFolder, storedPath, type Workspace } from '../workspace.js'

/** The most that is read of a log at once, in bytes. */
const most = 65_536

/**
 * What was added to the output of a group since an earlier look, or its end if that is longer than 64 KB.
 * @param from bytes that are known already; null for none
 * @throws UserError if the folder of the run is gone or the log is not fetched, or something else is in its place
 */
export function groupLog(
  workspace: Workspace,
  run: Run,
  index: number,
  stream: 'stdout' | 'stderr',
  from: number | null,
): TextPart {
  const folder = runFolder(workspace, run)
  const group = groupIn(readFolder(workspace, run), totalOf(run.counts), index)
  const file = join(group.path, `${stream}.txt`)
  if (presenceOf(group, `${stream}.txt`) === 'not fetched')
    refuseAbsent(run, 'not fetched', storedPath(workspace, file))
  return readPart(file, folder, from ?? 0, most)
}

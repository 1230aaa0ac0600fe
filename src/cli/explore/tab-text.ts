import { join } from 'node:path'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { groupLog } from '../../operations/browse/group-log.js'
import type { BrowsedGroup } from '../../operations/browse/run-pages.js'
import { whyRun } from '../../operations/runs/why-run.js'
import { absolutePath, readFolder, type Workspace } from '../../operations/workspace.js'
import { groupIn, presenceOf, type ReadFolder } from '../../runfolder/files/presence.js'
import { folderTree } from '../../runfolder/folder-tree.js'
import { logLines, metricLines, parameterLines } from '../../views/explore/group-text.js'
import type { Tab } from '../../views/explore/state.js'
import { byteText } from '../../views/format/sizes.js'
import { plainStyle } from '../../views/format/style.js'
import { whyText } from '../../views/why.js'

/** The logs of a group by their tabs. */
export const streams = { a: 'stdout', b: 'stderr' } as const

/** What a tab shows of a group, as lines; of a log its last 64 KB. @throws UserError if something else is in place of the folder of the run */
export async function tabText(workspace: Workspace, run: Run, group: BrowsedGroup, tab: Tab): Promise<string[]> {
  switch (tab) {
    case 'a':
    case 'b':
      return logText(workspace, run, group.index, streams[tab])
    case 'c':
      return parameterLines(group)
    case 'e':
      return treeText(groupIn(readFolder(workspace, run), totalOf(run.counts), group.index))
    case 'm':
      return metricLines(group)
    case 'w':
      return whyText(plainStyle, await whyRun(workspace, run, String(group.index))).split('\n')
  }
}

function logText(workspace: Workspace, run: Run, index: number, stream: 'stdout' | 'stderr'): string[] {
  const folder = readFolder(workspace, run)
  if (presenceOf(folder) !== 'there') return [`${run.storagePath} is ${presenceOf(folder)}`]
  const presence = presenceOf(groupIn(folder, totalOf(run.counts), index), `${stream}.txt`)
  if (presence === 'not fetched') return [`${stream}.txt is not fetched: v fetches it`]
  const { bytes, start } = groupLog(workspace, run, index, stream, null)
  const lines = logLines(new TextDecoder().decode(bytes))
  if (start > 0) return ['… v shows what is before', ...lines.slice(1)]
  return bytes.length === 0 ? [`Nothing in ${stream}.txt`] : lines
}

function treeText(folder: ReadFolder): string[] {
  return [folder.path, ...folderTree(folder, byteText).split('\n')]
}

/** The file of a log of a group, absolute. */
export function logFile(workspace: Workspace, run: Run, index: number, tab: keyof typeof streams): string {
  return join(groupFolder(absolutePath(workspace, run.storagePath), totalOf(run.counts), index), `${streams[tab]}.txt`)
}

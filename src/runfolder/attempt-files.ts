import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { GroupReport } from '../domain/runs/run.js'
import { groupFolder } from '../domain/runs/run-plan.js'
import { faultPoint } from '../system/fault-point.js'

/** Files that have been moved, and can be moved back. */
interface MovedFiles {
  move(): void
  undo(): void
}

/**
 * Moves the files of groups to `.run/attempts/<attempt>/`, out of the way of their next start. Links are moved, not
 * their targets.
 * @param storagePath absolute folder of the run
 * @param reports the groups, with their last status
 * @param resume whether only stdout and stderr are moved, so that the groups can continue from their other files
 */
export function moveAttempt(
  storagePath: string,
  groupCount: number,
  reports: readonly GroupReport[],
  resume: boolean,
): MovedFiles {
  const done: { from: string; to: string }[] = []
  const move = (from: string, to: string) => {
    if (!lstatSync(from, { throwIfNoEntry: false })) return
    mkdirSync(dirname(to), { recursive: true })
    renameSync(from, to)
    done.push({ from, to })
    faultPoint('retry-moved')
  }
  return {
    move() {
      for (const { index, attempt = 1 } of reports) {
        const folder = groupFolder(storagePath, groupCount, index)
        const target = groupFolder(join(storagePath, '.run/attempts', String(attempt)), groupCount, index)
        const isLink = folder !== storagePath && lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()
        if (isLink && !resume) move(folder, target)
        else for (const name of namesToMove(folder, resume)) move(join(folder, name), join(target, name))
      }
    },
    undo() {
      for (const { from, to } of done.toReversed()) renameSync(to, from)
    },
  }
}

/** The folder of a run with one group also holds files of the run, which are not moved. */
function namesToMove(folder: string, resume: boolean): string[] {
  if (resume) return ['stdout.txt', 'stderr.txt']
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter(name => name !== '.run' && name !== 'info.yaml' && name !== 'comment.md')
}

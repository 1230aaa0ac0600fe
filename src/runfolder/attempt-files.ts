import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { GroupReport } from '../domain/runs/run.js'
import { groupFolder } from '../domain/runs/run-plan.js'
import { faultPoint } from '../system/fault-point.js'
import { placeIn } from '../system/files.js'

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
  const done: { from: Buffer; to: Buffer }[] = []
  const move = (name: Buffer, folder: string, target: string) => {
    const [from, to] = [placeIn(folder, name), placeIn(target, name)]
    if (!lstatSync(from, { throwIfNoEntry: false })) return
    mkdirSync(target, { recursive: true })
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
        if (isLink && !resume) move(Buffer.from(basename(folder)), dirname(folder), dirname(target))
        else for (const name of namesToMove(folder, resume)) move(name, folder, target)
      }
    },
    undo() {
      for (const { from, to } of done.toReversed()) renameSync(to, from)
    },
  }
}

/** Files of the run itself, which the folder of a run with one group also holds. They are not moved. */
const filesOfRun: readonly string[] = ['.run', 'info.yaml', 'comment.md']

function namesToMove(folder: string, resume: boolean): Buffer[] {
  if (resume) return ['stdout.txt', 'stderr.txt'].map(name => Buffer.from(name))
  if (!existsSync(folder)) return []
  return readdirSync(folder, { encoding: 'buffer' }).filter(name => !filesOfRun.includes(name.toString()))
}

import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { GroupReport } from '../domain/runs/run.js'
import { groupFolder } from '../domain/runs/run-plan.js'
import { faultPoint } from '../system/fault-point.js'

/** Files that are being moved, and can be moved back. */
interface Moves {
  move(): void
  undo(): void
}

/**
 * Moves what groups have made to `.run/attempts/<attempt>/`, out of the way of their next start. Links are moved
 * themselves, not what they lead to.
 * @param storagePath absolute folder of the run
 * @param reports the groups, as they ended
 * @param resume whether only what they have printed is moved, and what they have made stays for them to go on from
 */
export function moveAttempt(
  storagePath: string,
  groupCount: number,
  reports: readonly GroupReport[],
  resume: boolean,
): Moves {
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

/** The folder of a run of one group holds what belongs to the run, too. */
function namesToMove(folder: string, resume: boolean): string[] {
  if (resume) return ['stdout.txt', 'stderr.txt']
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter(name => name !== '.run' && name !== 'info.yaml' && name !== 'comment.md')
}

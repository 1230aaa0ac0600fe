import type { GroupReport } from '../domain/runs/run.js'
import { groupFolder } from '../domain/runs/run-plan.js'
import type { Change } from '../system/folders/changes.js'

/** Files of the run itself, which the folder of a run with one group also holds. They are not moved. */
const filesOfRun: readonly string[] = ['.run', 'info.yaml', 'comment.md']

/**
 * What moves the files of groups to `.run/attempts/<attempt>/` in the folder of their run, out of the way of their next start.
 * Links are moved, not their targets.
 * @param reports the groups, with their last status
 * @param resume whether only stdout and stderr are moved, so that the groups can continue from their other files
 */
export function attemptMoves(groupCount: number, reports: readonly GroupReport[], resume: boolean): Change[] {
  return reports.flatMap(({ index, attempt = 1 }): Change[] => {
    const folder = groupFolder('.', groupCount, index)
    const into = groupFolder(`.run/attempts/${attempt}`, groupCount, index)
    if (!resume) return [{ empty: folder, into, except: filesOfRun }]
    return ['stdout.txt', 'stderr.txt'].map(name => ({ move: `${folder}/${name}`, to: `${into}/${name}` }))
  })
}

/** The changes that undo these moves. */
export function attemptMovedBack(moves: readonly Change[]): Change[] {
  return moves.toReversed().flatMap((change): Change[] => {
    if ('move' in change) return [{ move: change.to, to: change.move }]
    return 'empty' in change ? [{ empty: change.into, into: change.empty, except: [] }] : []
  })
}

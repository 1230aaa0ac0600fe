import type { GroupResult } from '../../../domain/results/compare.js'
import { totalOf } from '../../../domain/runs/aggregate.js'
import { hasEnded } from '../../../domain/runs/run.js'
import { groupFolder } from '../../../domain/runs/run-plan.js'
import { absolutePath, type Workspace } from '../../workspace.js'
import { type CountedRuns, groupsOf } from '../chosen-runs.js'

/** A group that writes no more. */
export interface EndedGroup {
  readonly group: GroupResult
  /** Absolute. */
  readonly folder: string
  /** That of its run, absolute. */
  readonly runFolder: string
}

/** The groups of runs that count and write no more, the oldest first. */
export function* endedGroups(
  workspace: Workspace,
  { runs, left }: Pick<CountedRuns, 'runs' | 'left'>,
): Generator<EndedGroup> {
  for (const run of runs) {
    const runFolder = absolutePath(workspace, run.storagePath)
    for (const some of groupsOf(workspace, [run], left)) {
      for (const group of some) {
        if (group.state === 'not_run' || !hasEnded(group.state)) continue
        yield { group, folder: groupFolder(runFolder, totalOf(run.counts), group.index), runFolder }
      }
    }
  }
}

/** Problems with the files of groups; the same one of several groups is one warning. */
export class GroupProblems {
  private readonly groups = new Map<string, { first: string; count: number }>()

  add({ run, index }: GroupResult, problem: string): void {
    const known = this.groups.get(problem)
    if (known) known.count++
    else this.groups.set(problem, { first: `${run}.${index}`, count: 1 })
  }

  warn(workspace: Workspace): void {
    for (const [problem, { first, count }] of this.groups) {
      const more = count === 1 ? '' : ` and ${count - 1} other${count === 2 ? '' : 's'}`
      workspace.warn(`${problem} (group ${first}${more})`)
    }
  }
}

import type { GroupResult } from '../../../domain/results/compare.js'
import { type Problem, problemText } from '../../../domain/results/reading/found.js'
import { totalOf } from '../../../domain/runs/aggregate.js'
import { hasEnded } from '../../../domain/runs/run.js'
import { groupFolder } from '../../../domain/runs/run-plan.js'
import { absolutePath, type Workspace } from '../../workspace.js'
import { groupsOf } from '../chosen-runs.js'
import type { CountedRuns } from '../counted-runs.js'

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
  private readonly found = new Map<string, { first: string; line: number | null; groups: number }>()

  add({ run, index }: GroupResult, { text, line }: Problem): void {
    const known = this.found.get(text)
    if (known) known.groups++
    else this.found.set(text, { first: `${run}.${index}`, line, groups: 1 })
  }

  warn(workspace: Workspace): void {
    for (const [text, place] of this.found) workspace.warn(problemText(text, place))
  }
}

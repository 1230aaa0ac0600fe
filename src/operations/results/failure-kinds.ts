import { join } from 'node:path'
import { groupBy } from '../../domain/group-by.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import { causeLabel, failureKey } from '../../domain/runs/cause-label.js'
import { failsAgain } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { lastErrors } from '../../runfolder/tails.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { chosenRuns, runsWithMetrics } from './chosen-runs.js'
import { countOf } from './collect/collect.js'
import { type CountedRuns, countedRuns } from './counted-runs.js'
import type { LookedAt } from './looked-at.js'

/** Groups that ended for the same reason, with the same last line but for its numbers. */
export interface FailureKind {
  /** The cause, or the state of a cancelled group. */
  readonly cause: string
  /** With the exit code or the signal: `exit 1`. */
  readonly label: string
  /** The last line of stderr of the first of them; null if it wrote none. */
  readonly line: string | null
  readonly groups: readonly { readonly run: number; readonly index: number }[]
  readonly next: string
}

/** The failures of runs, of which no group counts twice. */
export interface Failures extends CountedRuns {
  readonly experiment: string
  readonly failed: number
  readonly total: number
  /** The most frequent first. */
  readonly kinds: readonly FailureKind[]
}

/** Groups that ended without finishing, by what they have in common. */
export async function failureKinds(workspace: Workspace, experiment: string, looked: LookedAt): Promise<Failures> {
  const needsMetrics = (looked.filter?.groups.metrics ?? []).length > 0
  const runs = await (needsMetrics ? runsWithMetrics : chosenRuns)(workspace, experiment, looked)
  return failuresOf(workspace, experiment, await countedRuns(workspace, runs, [], looked))
}

/** The same for runs that are known. */
export function failuresOf(workspace: Workspace, experiment: string, { runs, left, notes }: CountedRuns): Failures {
  const { store } = workspace
  const found = store.reading(() => runs.map(run => ({ run, groups: store.runs.groupsThatFailed(run.id) })))
  const failed = found.flatMap(({ run, groups }) => {
    const folder = absolutePath(workspace, run.storagePath)
    const counted = groups.filter(({ index }) => !left.get(run.id)?.has(index))
    return counted.map(({ index, status }) => {
      const [line = null] = lastErrors(join(groupFolder(folder, totalOf(run.counts), index), 'stderr.txt'), 1)
      return { group: { run: run.id, index }, status, line, key: failureKey(status, line) }
    })
  })
  const kinds = [...groupBy(failed, ({ key }) => key).values()].sort((one, other) => other.length - one.length)
  return {
    ...{ experiment, runs, left, notes },
    failed: failed.length,
    total: countOf(runs, left),
    kinds: kinds.map(same => {
      const { status, line, group } = same[0]!
      const cause = 'cause' in status ? status.cause : status.state
      const groups = same.map(each => each.group)
      return { cause, label: causeLabel(status), line, groups, next: nextCommand(cause, group) }
    }),
  }
}

function nextCommand(cause: string, { run, index }: { run: number; index: number }): string {
  const retry = `qanat run_retry ${run} --only ${cause}`
  if (cause === 'oom') return `${retry} --submit_template TEMPLATE_WITH_MORE_MEMORY`
  if (cause === 'timeout' || cause === 'deadline') return `${retry} --submit_template TEMPLATE_WITH_MORE_TIME`
  if (failsAgain(cause)) return `qanat why ${run}.${index}`
  return retry
}

import { join } from 'node:path'
import { totalOf } from '../../domain/runs/aggregate.js'
import { causeLabel, failureKey } from '../../domain/runs/cause-label.js'
import { failsAgain } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { lastErrors } from '../../runfolder/tails.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { type CountedRuns, chosenRuns, countedRuns } from './chosen-runs.js'

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

/** Groups that ended without finishing, by what they have in common. @param words ids of runs; none for all */
export async function failureKinds(
  workspace: Workspace,
  experiment: string,
  words: readonly string[],
): Promise<Failures> {
  return failuresOf(workspace, experiment, countedRuns(workspace, await chosenRuns(workspace, experiment, words)))
}

/** The same for runs that are known. */
export function failuresOf(workspace: Workspace, experiment: string, { runs, left, notes }: CountedRuns): Failures {
  const kinds = new Map<
    string,
    { label: string; cause: string; line: string | null; groups: FailureKind['groups'][number][] }
  >()
  const { store } = workspace
  const failed = store.reading(() => runs.map(run => ({ run, groups: store.runs.groupsThatFailed(run.id) })))
  for (const { run, groups } of failed) {
    const folder = absolutePath(workspace, run.storagePath)
    const groupCount = totalOf(run.counts)
    for (const { index, status } of groups) {
      if (left.get(run.id)?.has(index)) continue
      const cause = 'cause' in status ? status.cause : status.state
      const label = causeLabel(status)
      const [line = null] = lastErrors(join(groupFolder(folder, groupCount, index), 'stderr.txt'), 1)
      const key = failureKey(status, line)
      const kind = kinds.get(key) ?? { label, cause, line, groups: [] }
      kind.groups.push({ run: run.id, index })
      kinds.set(key, kind)
    }
  }
  const found = [...kinds.values()].sort((one, other) => other.groups.length - one.groups.length)
  return {
    ...{ experiment, runs, left, notes },
    failed: found.reduce((sum, { groups }) => sum + groups.length, 0),
    total: runs.reduce((sum, { id, counts }) => sum + totalOf(counts) - (left.get(id)?.size ?? 0), 0),
    kinds: found.map(kind => ({ ...kind, next: nextCommand(kind.cause, kind.groups[0]!) })),
  }
}

function nextCommand(cause: string, { run, index }: { run: number; index: number }): string {
  const retry = `qanat run_retry ${run} --only ${cause}`
  if (cause === 'oom') return `${retry} --submit_template TEMPLATE_WITH_MORE_MEMORY`
  if (cause === 'timeout' || cause === 'deadline') return `${retry} --submit_template TEMPLATE_WITH_MORE_TIME`
  if (failsAgain(cause)) return `qanat why ${run}.${index}`
  return retry
}

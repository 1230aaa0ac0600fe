import { totalOf } from '../../domain/runs/aggregate.js'
import { type Run, ranOtherCode } from '../../domain/runs/run.js'
import { firstFailures, hasSkipped, runWarnings } from '../../operations/runs/failures.js'
import type { Workspace } from '../../operations/workspace.js'
import { counted } from '../../views/format/counted.js'
import { displayable } from '../../views/format/displayable.js'
import { styleOf } from '../../views/format/style.js'
import { outcomeText } from '../../views/run.js'
import type { Output } from '../output.js'

/** At most this many failures are looked at, since their last lines are read from files. */
const mostFailures = 200
const shownWarnings = 5

/**
 * Sums up a run that was waited for. If a group did not finish, the exit code is 1, and that is said also if the command is
 * quiet.
 * @param retried the groups that were launched again and alone decide about the code; null for all
 */
export function reportOutcome(
  workspace: Workspace,
  run: Run,
  { say, quiet }: Pick<Output, 'say' | 'quiet'>,
  retried: readonly number[] | null = null,
): void {
  const warnings = runWarnings(workspace, run)
  for (const warning of warnings.slice(0, shownWarnings)) workspace.warn(warning)
  const more = warnings.length - shownWarnings
  if (more > 0) workspace.warn(`and ${more} more in ${run.storagePath}/.run/warnings.txt`)
  if (ranOtherCode(run))
    workspace.warn(
      `the code was not as recorded when run ${run.id} ended, so it is not certain which code its groups ran
qanat run --snapshot always ${run.experiment} …        runs a copy of the code that no edit reaches`,
    )
  const failures = firstFailures(workspace, run, mostFailures)
  const text = outcomeText(styleOf(process.stdout), run, failures, hasSkipped(workspace, run))
  say(text)
  if (run.status === 'finished') return
  if (retried !== null && haveFinished(workspace, run, retried)) {
    const [groups, others] = [retried.length, totalOf(run.counts) - run.counts.finished]
    say(
      `  what was retried has finished: ${counted(groups, 'group')}; ${counted(others, 'other')} of run ${run.id} did not`,
    )
    return
  }
  process.exitCode = 1
  if (quiet) process.stderr.write(`${displayable(text)}\n`)
}

function haveFinished({ store }: Workspace, { id }: Run, indices: readonly number[]): boolean {
  const finished = new Set(
    store.runs.groups(id).flatMap(({ index, status }) => (status.state === 'finished' ? [index] : [])),
  )
  return indices.every(index => finished.has(index))
}

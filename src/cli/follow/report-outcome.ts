import type { Run } from '../../domain/runs/run.js'
import { firstFailures, hasSkipped, runWarnings } from '../../operations/runs/failures.js'
import type { Workspace } from '../../operations/workspace.js'
import { styleOf } from '../../views/format/style.js'
import { outcomeText } from '../../views/run.js'

/** So many failures are looked at: their last lines are read from files. */
const mostFailures = 200
const shownWarnings = 5

/** The summary of a run that was waited for; sets the exit code 1 if a group did not finish. */
export function reportOutcome(workspace: Workspace, run: Run): string {
  const warnings = runWarnings(workspace, run)
  for (const warning of warnings.slice(0, shownWarnings)) workspace.warn(warning)
  const more = warnings.length - shownWarnings
  if (more > 0) workspace.warn(`and ${more} more in ${run.storagePath}/.run/warnings.txt`)
  if (run.status !== 'finished') process.exitCode = 1
  const failures = firstFailures(workspace, run, mostFailures)
  return outcomeText(styleOf(process.stdout), run, failures, hasSkipped(workspace, run))
}

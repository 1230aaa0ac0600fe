import { isOver } from '../../domain/runs/aggregate.js'
import { haltOf, type Run } from '../../domain/runs/run.js'
import { OperationError, UserError } from '../../errors.js'
import { refuseForeignFolder } from '../folder/run-files.js'
import { refuseForeign } from '../refresh/foreign-attempts.js'
import { knownRun, liveHandles } from '../refresh/known-run.js'
import { refreshRun } from '../refresh/refresh-runs.js'
import { submissionsOf } from '../refresh/submissions.js'
import { runnerOf, type Workspace } from '../workspace.js'

/**
 * Changes how many groups of a live run of this machine may run at a time. What runs goes on to its end; 0 pauses the run.
 * @param typed the number, as it was typed
 * @returns the run as it is then
 * @throws QanatError for a run that cannot be changed from here, with what to type instead
 */
export async function changeSlots(workspace: Workspace, run: Run, typed: string): Promise<Run> {
  const { id } = run
  if (!/^\d{1,6}$/.test(typed)) {
    throw new UserError(
      `the number of slots is a whole number, 0 or more: '${typed}'`,
      `qanat run_slots ${id} 0        pauses the run`,
    )
  }
  const slots = Number(typed)
  const current = await refreshRun(workspace, run, 0)
  if (isOver(current.counts)) {
    throw new UserError(`run ${id} is over (${current.status}): it has no slots any more`, `qanat run_show ${id}`)
  }
  const submissions = await submissionsOf(workspace, current)
  refuseForeign(current, submissions)
  const handles = liveHandles(await knownRun(workspace, current))
  const runner = runnerOf(workspace, run)
  if (!runner.setSlots) {
    const other = 'qanat run_cancel and run_retry with another template: max_parallel: N'
    throw new UserError(
      `${runner.kind.name} decides how many groups of run ${id} run at a time`,
      runner.slotsCommand?.(handles, slots) ?? other,
    )
  }
  const host = await runner.hostElsewhere?.(handles)
  if (host)
    throw new OperationError(`run ${id} lives on ${host}`, `qanat run_slots ${id} ${slots}        on that machine`)
  if (haltOf(current) === 'no_worker') {
    throw new OperationError(
      `run ${id} has no worker any more, so that no slot would take its groups`,
      `qanat run_wait ${id} --yes        starts workers again`,
    )
  }
  if (submissions.partial.size > 0)
    throw new OperationError(`run ${id} is still being submitted`, 'try again in a moment')
  refuseForeignFolder(workspace, current)
  try {
    await runner.setSlots(handles, slots)
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    throw new OperationError(
      `the folder of run ${id} cannot be written: the run is another user's`,
      `let its user type: qanat run_slots ${id} ${slots}`,
    )
  }
  return refreshRun(workspace, current, 0)
}

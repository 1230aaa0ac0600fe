import { spanOf } from '../../domain/runs/launch.js'
import { OperationError, SchedulerError } from '../../errors.js'
import { begunSubmissions, submissionEntry } from '../../runfolder/evidence/submissions.js'
import { submissionOutput } from '../../runfolder/layout.js'
import type { Site } from '../../sites/site.js'
import { faultPoint } from '../../system/fault-point.js'
import type { Change } from '../../system/folders/changes.js'
import type { ProgramOptions } from '../../system/programs.js'
import type { JobHandle, PlannedSubmission, Prepared, PreparedSubmission } from '../types.js'

/** The submission whose jobs a handle stands for, as it was recorded before it was made for the first time. */
export function firstSubmission(handle: JobHandle): {
  readonly span: PlannedSubmission
  readonly command: readonly string[]
} {
  const { first } = spanOf(handle)
  const begun = begunSubmissions(handle.place.here, handle.attempt)
  const found = begun.find(({ span, stdout }) => span.first === first && span.jobs === undefined && stdout !== '')
  if (found?.command) return { span: found.span, command: found.command }
  throw new OperationError(
    `the record of how the jobs of run ${handle.runId} were submitted is gone`,
    'cancel the run, then retry it',
  )
}

/**
 * Records that a submission begins, and runs its command. The output goes directly into files of the run, so that a later
 * command can read it if this one is killed.
 * @param number of the submission in its attempt, from 0
 * @param changes in the folder of the run that its jobs need
 * @returns its standard output
 * @throws SchedulerError with the scheduler's message if it fails
 */
export async function submitWith(
  site: Site,
  { plan }: { readonly plan: Pick<Prepared['plan'], 'attempt' | 'place'> },
  number: number,
  { command, ...span }: PreparedSubmission,
  options: ProgramOptions,
  warn: (message: string) => void,
  changes: readonly Change[] = [],
): Promise<string> {
  faultPoint('submission-begin')
  const result = await site.run(command, options, {
    place: plan.place,
    before: { changes, entries: [submissionEntry(plan.attempt, number, span, Date.now(), command)] },
    output: submissionOutput(plan.attempt, number),
  })
  faultPoint('submission-end')
  const remarks = result.stderr.trim()
  if (result.exitCode !== 0) {
    const words = remarks || result.stdout.trim()
    const groups = `${span.count} group${span.count === 1 ? '' : 's'}`
    // It may have accepted them all the same: the caller finds that out.
    const message =
      result.ending === 'timeout'
        ? `did not answer within ${options.timeout / 1000} s${words && `: ${words}`}`
        : `failed (${groups}): ${words || 'without a message'}`
    const needs = 'each job asks for what all of its slots need: with fewer of them (pack), it asks for less\n'
    throw new SchedulerError(
      `${command[0]} ${message}`,
      `${span.pack === undefined ? '' : needs}everything is as it was`,
    )
  }
  if (remarks !== '') warn(`${command[0]}: ${remarks}`)
  return result.stdout
}

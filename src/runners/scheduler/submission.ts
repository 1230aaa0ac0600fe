import { SchedulerError } from '../../errors.js'
import { submissionEntry } from '../../runfolder/evidence/submissions.js'
import { submissionOutput } from '../../runfolder/layout.js'
import type { Site } from '../../sites/site.js'
import { faultPoint } from '../../system/fault-point.js'
import type { ProgramOptions } from '../../system/programs.js'
import type { Prepared, PreparedSubmission } from '../types.js'

/**
 * Records that a submission begins, and runs its command. The output goes directly into files of the run, so that a later
 * command can read it if this one is killed.
 * @param number of the submission in its attempt, from 0
 * @returns its standard output
 * @throws SchedulerError with the scheduler's message if it fails
 */
export async function submitWith(
  site: Site,
  { plan }: Pick<Prepared, 'plan'>,
  number: number,
  { command, ...span }: PreparedSubmission,
  options: ProgramOptions,
  warn: (message: string) => void,
): Promise<string> {
  const [stdout, stderr] = submissionOutput(plan.attempt, number)
  faultPoint('submission-begin')
  await site.put(plan.place, [submissionEntry(plan.attempt, number, span, Date.now())])
  const result = await site.run(command, options, [`${plan.place.there}/${stdout}`, `${plan.place.there}/${stderr}`])
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
    throw new SchedulerError(`${command[0]} ${message}`, 'everything is as it was')
  }
  if (remarks !== '') warn(`${command[0]}: ${remarks}`)
  return result.stdout
}

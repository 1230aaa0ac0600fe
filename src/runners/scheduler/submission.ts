import { existsSync, readFileSync, statSync } from 'node:fs'
import { launchFolder } from '../../domain/runs/run-plan.js'
import { SchedulerError } from '../../errors.js'
import { faultPoint } from '../../system/fault-point.js'
import { type ProgramOptions, runProgramInto } from '../../system/programs.js'
import type { GroupSpan, PreparedSubmission, SubmissionIntent } from '../types.js'

/** Which groups each submission of a launch is of, as JSON, relative to the run's folder. */
export function spansFile(attempt: number): string {
  return `${launchFolder(attempt)}/submissions.json`
}

/** Text of {@link spansFile}. */
export function spansText(submissions: readonly PreparedSubmission[]): string {
  return `${JSON.stringify(submissions.map(({ first, count }): GroupSpan => ({ first, count })))}\n`
}

/** What the command of a submission has printed, and of which groups it is. */
export interface Submission {
  /** When, in milliseconds since the epoch. */
  readonly begun: number
  readonly span: GroupSpan
  readonly stdout: string
}

/**
 * Runs a command that submits. Its output goes straight into files of the run, from which a later command reads it
 * where this one is killed.
 * @param folder of the launch, absolute
 * @returns its standard output
 * @throws SchedulerError with the scheduler's own words where it refuses
 */
export async function submitWith(
  folder: string,
  number: number,
  { command, count }: PreparedSubmission,
  options: ProgramOptions,
  warn: (message: string) => void,
): Promise<string> {
  const files = [outputFile(folder, number), `${folder}/submission_${number}.err`] as const
  faultPoint('submission-begin')
  const result = await runProgramInto(files, command, options)
  faultPoint('submission-end')
  const remarks = result.stderr.trim()
  if (result.exitCode !== 0) {
    const words = remarks || result.stdout.trim() || 'it said nothing'
    const groups = `${count} group${count === 1 ? '' : 's'}`
    const silent = `did not answer within ${options.timeout / 1000} s`
    const did = result.ending === 'timeout' ? silent : `refused the run (${groups})`
    throw new SchedulerError(`${command[0]} ${did}: ${words}`, 'nothing was kept')
  }
  if (remarks !== '') warn(`${command[0]}: ${remarks}`)
  return result.stdout
}

function outputFile(folder: string, number: number): string {
  return `${folder}/submission_${number}.out`
}

/** The submissions of a launch that were begun, in order, with what their commands have printed so far. */
export function begunSubmissions({ storagePath, attempt }: SubmissionIntent): Submission[] {
  const path = `${storagePath}/${spansFile(attempt)}`
  const folder = `${storagePath}/${launchFolder(attempt)}`
  const spans = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as GroupSpan[]) : []
  const begun = spans.map((span, number) => ({ number, span, file: outputFile(folder, number) }))
  return begun
    .filter(({ file }) => existsSync(file))
    .map(({ span, file }) => ({ begun: statSync(file).mtimeMs, span, stdout: readFileSync(file, 'utf8') }))
}

import { existsSync, statSync } from 'node:fs'
import type { Submission } from '../../domain/runs/launch.js'
import type { Entry } from '../../system/folders/entries.js'
import { readRegular } from '../../system/regular-file.js'
import { planFile, settingsFile, submissionFile, submissionOutput } from '../layout.js'

/** A submission as it is recorded when it begins. */
interface Begun {
  /** By the clock of the machine that launches, in milliseconds since the epoch. */
  readonly begun: number
  /**
   * Its groups, by position among those of the attempt, how many each of its jobs has if there are several in a job, and the numbers
   * of those that are submitted again.
   */
  readonly span: Pick<Submission, 'first' | 'count'> & { readonly pack?: number; readonly jobs?: readonly number[] }
  /** Its command; missing in records of earlier versions. */
  readonly command?: readonly string[]
}

/** What a submission leaves before its command is run. @param number of the submission in its attempt, from 0 */
export function submissionEntry(
  attempt: number,
  number: number,
  span: Begun['span'],
  begun: number,
  command?: readonly string[],
): Entry {
  const record: Begun = { begun, span, ...(command && { command }) }
  return { path: submissionFile(attempt, number), text: [`${JSON.stringify(record)}\n`] }
}

/** A submission that was begun, with the output of its command as far as there is any. */
export interface BegunSubmission extends Begun {
  readonly stdout: string
  readonly stderr: string
}

/**
 * The submissions of an attempt that were begun, in order.
 * @param storagePath absolute folder of the run
 */
export function begunSubmissions(storagePath: string, attempt: number): BegunSubmission[] {
  const found: BegunSubmission[] = []
  const textOf = (path: string) => readRegular(`${storagePath}/${path}`)
  for (;;) {
    const record = textOf(submissionFile(attempt, found.length))
    if (record === null) return found
    const [stdout, stderr] = submissionOutput(attempt, found.length).map(path => textOf(path) ?? '') as [string, string]
    found.push({ ...(JSON.parse(record) as Begun), stdout, stderr })
  }
}

/** Text of a file that the command of a submission was given; null if it is gone. @param path relative to the folder of the run */
export function submittedText(storagePath: string, path: string): string | null {
  return readRegular(`${storagePath}/${path}`)
}

/** Whether the folder of a run belongs to whoever asks. */
export function isOwnFolder(storagePath: string): boolean {
  return statSync(storagePath, { throwIfNoEntry: false })?.uid === process.getuid?.()
}

/** Whether the first files of a launch are there: it may have been killed before, or have rolled them back. @param storagePath absolute folder of the run */
export function hasPlan(storagePath: string): boolean {
  return existsSync(`${storagePath}/${planFile}`)
}

/** Whether the files with which the jobs of an attempt start are there. @param storagePath absolute folder of the run */
export function hasLaunchFiles(storagePath: string, attempt: number): boolean {
  return existsSync(`${storagePath}/${settingsFile(attempt)}`)
}

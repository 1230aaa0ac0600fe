import { existsSync, readFileSync, statSync } from 'node:fs'
import type { Submission } from '../../domain/runs/launch.js'
import { planFile, settingsFile, spansFile, submissionOutput } from '../layout.js'

/** The groups of one submission, by position among those of the attempt. */
type Span = Pick<Submission, 'first' | 'count'>

/** Text of {@link spansFile}. */
export function spansText(spans: readonly Span[]): string {
  return `${JSON.stringify(spans.map(({ first, count }) => ({ first, count })))}\n`
}

/** A submission that was begun, with the output of its command. */
export interface BegunSubmission {
  /** Its time, in milliseconds since the epoch. */
  readonly begun: number
  readonly span: Span
  readonly stdout: string
}

/**
 * The submissions of an attempt that were begun, in order.
 * @param storagePath absolute folder of the run
 */
export function begunSubmissions(storagePath: string, attempt: number): BegunSubmission[] {
  const path = `${storagePath}/${spansFile(attempt)}`
  const spans = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Span[]) : []
  return spans
    .map((span, number) => ({ span, file: `${storagePath}/${submissionOutput(attempt, number)[0]}` }))
    .filter(({ file }) => existsSync(file))
    .map(({ span, file }) => ({ begun: madeAt(file), span, stdout: readFileSync(file, 'utf8') }))
}

/** When a file was made, in milliseconds: it may have been written to later, and not every file system knows its birth. */
function madeAt(file: string): number {
  const { birthtimeMs, mtimeMs } = statSync(file)
  return Math.min(birthtimeMs || mtimeMs, mtimeMs)
}

/** Whether the first files of a launch are there: it may have been killed before, or have rolled them back. @param storagePath absolute folder of the run */
export function hasPlan(storagePath: string): boolean {
  return existsSync(`${storagePath}/${planFile}`)
}

/** Whether the files with which the jobs of an attempt start are there. @param storagePath absolute folder of the run */
export function hasLaunchFiles(storagePath: string, attempt: number): boolean {
  return existsSync(`${storagePath}/${settingsFile(attempt)}`)
}

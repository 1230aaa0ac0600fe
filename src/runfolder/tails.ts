import { withoutJobScript } from '../domain/text/shell-message.js'
import { endsOf } from './evidence/appended.js'

/** How much is read from the end of a file, in bytes. */
const longestEnd = 65_536

/** The last lines of a file that are not empty, trimmed; none if there is no file. */
export function lastLines(file: string, count: number): string[] {
  const lines = (endsOf(file, longestEnd)?.tail ?? '').split('\n').map(line => line.trim())
  return lines.filter(line => line !== '').slice(-count)
}

/** The last lines of the stderr of a group, without places in our job script. */
export function lastErrors(file: string, count: number): string[] {
  return lastLines(file, count).map(withoutJobScript)
}

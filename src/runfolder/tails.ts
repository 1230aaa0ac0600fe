import { drawnLine } from '../domain/text/drawn-line.js'
import { withoutJobScript } from '../domain/text/shell-message.js'
import { endsOf } from './evidence/appended.js'

/** How much is read from the end of a file, in bytes. */
const longestEnd = 65_536

/** In characters. A longer line is cut, since it is shown among others, and in JSON once for each group. */
const longestLine = 1000
const cut = new RegExp(`^(.{${longestLine}}).+$`, 'su')

/**
 * The last lines of a file that are not empty, as a terminal would show them in the end, trimmed, of at most 1000
 * characters and `…`; none if there is no file.
 */
export function lastLines(file: string, count: number): string[] {
  const lines = (endsOf(file, longestEnd)?.tail ?? '').split('\n').map(line => drawnLine(line).trim())
  const last = lines.filter(line => line !== '').slice(-count)
  return last.map(line => line.replace(cut, '$1…'))
}

/** The last lines of the stderr of a group, without places in our job script. */
export function lastErrors(file: string, count: number): string[] {
  return lastLines(file, count).map(withoutJobScript)
}

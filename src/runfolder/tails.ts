import { endsOf } from './evidence/appended.js'

/** How much is read from the end of a file, in bytes. */
const longestEnd = 65_536

/** The last lines of a file that are not empty, trimmed; none if there is no file. */
export function lastLines(file: string, count: number): string[] {
  const lines = (endsOf(file, longestEnd)?.tail ?? '').split('\n').map(line => line.trim())
  return lines.filter(line => line !== '').slice(-count)
}

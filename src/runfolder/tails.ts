import { endsOf } from './evidence/appended.js'

/** As much of a file as is read of its end, in bytes. */
const longestEnd = 65_536

/** The last lines of a file that are not empty, without the blanks around them; none where there is no file. */
export function lastLines(file: string, count: number): string[] {
  const lines = (endsOf(file, longestEnd)?.tail ?? '').split('\n').map(line => line.trim())
  return lines.filter(line => line !== '').slice(-count)
}

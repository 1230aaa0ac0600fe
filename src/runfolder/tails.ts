import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

/** As much of a file as is read of its end, in bytes. */
const longestEnd = 65_536

/** The last lines of a file that are not empty, without the blanks around them; none where there is no file. */
export function lastLines(file: string, count: number): string[] {
  if (!existsSync(file)) return []
  const lines = endOf(file)
    .split('\n')
    .map(line => line.trim())
  return lines.filter(line => line !== '').slice(-count)
}

function endOf(path: string): string {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const end = Buffer.alloc(Math.min(size, longestEnd))
    readSync(file, end, 0, end.length, size - end.length)
    return end.toString('utf8')
  } finally {
    closeSync(file)
  }
}

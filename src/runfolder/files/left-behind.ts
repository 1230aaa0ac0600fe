import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { leftBehindFolder } from '../layout.js'

/** The folders of a run with files that its scripts have left in frozen copies, the oldest first. @param folder of the run, absolute */
export function leftBehindFolders(folder: string): string[] {
  const found: string[] = []
  while (existsSync(numbered(folder, found.length))) found.push(numbered(folder, found.length))
  return found
}

/** The next one, which is not there yet. */
export function newLeftBehindFolder(folder: string): string {
  return numbered(folder, leftBehindFolders(folder).length)
}

function numbered(folder: string, before: number): string {
  return join(folder, before === 0 ? leftBehindFolder : `${leftBehindFolder}_${before + 1}`)
}

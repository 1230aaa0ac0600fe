import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Size of all files in a folder, in bytes; links in it are not followed, but the folder itself may be a link. */
export function folderSize(folder: string): number {
  let entries: string[]
  try {
    entries = readdirSync(folder)
  } catch {
    return 0
  }
  return entries.reduce((sum, name) => {
    const path = join(folder, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats) return sum
    return sum + (stats.isDirectory() ? folderSize(path) : stats.size)
  }, 0)
}

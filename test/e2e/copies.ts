import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Folder } from './project.js'

/** Makes frozen copies an hour old: one that was made just now may be that of a launch which has no run yet. */
export function letCopiesAge(folder: Folder): void {
  const hourAgo = new Date(Date.now() - 3_600_000)
  for (const name of folder.list('.qanat/cache')) utimesSync(join(folder.path, '.qanat/cache', name), hourAgo, hourAgo)
}

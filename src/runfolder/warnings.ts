import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What went wrong around the groups of a run without making them fail, a line each. @param folder absolute */
export function warningsIn(folder: string): string[] {
  const file = join(folder, '.run/warnings.txt')
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
}

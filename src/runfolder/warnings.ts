import { join } from 'node:path'
import { readRegular } from '../system/regular-file.js'

/** What went wrong around the groups of a run without making them fail, a line each. @param folder absolute */
export function warningsIn(folder: string): string[] {
  return readRegular(join(folder, '.run/warnings.txt'))?.trimEnd().split('\n') ?? []
}

import { join } from 'node:path'
import { readRegular } from '../system/regular-file.js'

/** Problems that did not make a group fail, one a line. @param folder absolute */
export function warningsIn(folder: string): string[] {
  return readRegular(join(folder, '.run/warnings.txt'))?.trimEnd().split('\n') ?? []
}

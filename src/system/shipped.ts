import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The text of a file that build.js puts beside the bundle. @param name such as `surface.json` */
export function readShipped(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8')
}

import { basename, dirname, join } from 'node:path'

/** The folder beside a frozen copy for what makes its groups import from it, absolute. @param copy its root, absolute */
export function importsFolder(copy: string): string {
  return join(dirname(copy), `.imports-${basename(copy)}`)
}

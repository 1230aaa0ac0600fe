import { basename, dirname, join } from 'node:path'

/** The folder for what makes the groups in a frozen copy import from it: `.qanat/imports/COPY`. @param copy its root, absolute */
export function importsFolder(copy: string): string {
  return join(dirname(dirname(copy)), 'imports', basename(copy))
}

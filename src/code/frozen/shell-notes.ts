import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readRegular } from '../../system/regular-file.js'

/** A file in the folder of a shell that says where it is, until it has ended. */
export const shellNote = '.run/shell.json'

/** A shell that has not ended, or was killed. */
export interface NotedShell {
  /** Its folder on this machine, absolute. */
  readonly folder: string
  readonly site: string
  /** Name of its frozen copy in the cache. */
  readonly copy: string
}

/** The shells that have not ended, or were killed. @param cacheFolder absolute; it need not exist */
export function notedShells(cacheFolder: string): NotedShell[] {
  if (!existsSync(cacheFolder)) return []
  const names = readdirSync(cacheFolder).filter(name => /^shell_[0-9a-f]{8}$/.test(name))
  return names.flatMap(name => {
    const folder = join(cacheFolder, name)
    const [, site, copy] =
      /^\{"site":"([\w.-]+)","copy":"([^"\\]*)"\}$/.exec(readRegular(join(folder, shellNote)) ?? '') ?? []
    return site === undefined ? [] : [{ folder, site, copy: copy! }]
  })
}

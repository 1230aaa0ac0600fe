import { join } from 'node:path'
import { type Listing, listFiles } from '../../system/folders/listing.js'
import { userName } from '../../system/process-identity.js'
import { canRead, ownerOf } from '../../system/regular-file.js'
import { actionsFolder, patchFile } from '../layout.js'
import { everything } from './outputs.js'

// What a crate takes from the folder of a run. All paths are absolute.

/** All files but our own records. */
export function ownFilesIn(folder: string): Listing {
  return listFiles([{ path: folder, deep: true }], everything, new Set(['.run']))
}

/** The records of actions. */
export function actionFiles(folder: string): string[] {
  return [...listFiles([{ path: join(folder, actionsFolder), deep: false }], everything).files.keys()]
}

/** Whether the changes that no commit has are there. */
export function hasPatch(folder: string): boolean {
  return canRead(join(folder, patchFile))
}

/** Those files that cannot be read. */
export function unreadableOf(files: readonly string[]): string[] {
  return files.filter(path => !canRead(path))
}

/** The name of the user who owns the folder: whoever launched the run. */
export function agentOf(folder: string): string {
  const owner = ownerOf(folder)
  return owner === process.getuid?.() ? userName() : `user ${owner}`
}

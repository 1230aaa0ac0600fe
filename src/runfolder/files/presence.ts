import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { isFile } from '../../system/files.js'

/**
 * Whether a file of a run is there, is gone, or was not fetched. What the mirror of a folder elsewhere lacks may be there:
 * absence is evidence only of a file that was looked for where it lives.
 */
export type Presence = 'there' | 'gone' | 'not fetched'

/** The folder of a run as it is read on this machine. */
export interface ReadFolder {
  /** Absolute. */
  readonly path: string
  /** Whether it is the mirror of a folder elsewhere, which may have more files. */
  readonly isMirror: boolean
}

/** The folder of a group of a run. */
export function groupIn({ path, isMirror }: ReadFolder, groupCount: number, index: number): ReadFolder {
  return { path: groupFolder(path, groupCount, index), isMirror }
}

/** Whether a file of a run, or its folder, is there. @param file relative to the folder; empty for the folder itself */
export function presenceOf({ path, isMirror }: ReadFolder, file = ''): Presence {
  if (existsSync(join(path, file))) return 'there'
  return isMirror ? 'not fetched' : 'gone'
}

/** Those files of a run, relative to its folder, that are no files there. */
export function filesLacking({ path }: ReadFolder, files: readonly string[]): string[] {
  return files.filter(file => !isFile(join(path, file)))
}

import { relative } from 'node:path'
import type { DataFile, DataListing } from '../../domain/data/fingerprint.js'
import { digestOfFile } from '../../system/digest.js'
import { type Limit, type Listing, listFiles } from '../../system/folders/listing.js'

/** For those who want to wait. */
export const everything: Limit = { files: Number.POSITIVE_INFINITY, milliseconds: Number.POSITIVE_INFINITY }

/** Files and folders of a group or of a run that Qanat or a person has written. */
const notOutputs = /^(\.run|info\.yaml|group_info\.yaml|comment\.md)(\/|$)/

/** Whether a file belongs to what a group has left. @param path relative to the folder of the group */
export function isOutput(path: string): boolean {
  return !notOutputs.test(path)
}

/** What is in some folders of groups now; links in them are not followed. @param folders absolute @param top of the paths */
export function listFolders(folders: readonly string[], top: string, limit: Limit): DataListing {
  const places = folders.map(path => ({ path, deep: true }))
  const found = listFiles(places, limit, new Set(['.run']))
  const files = [...found.files].map(([path, { size, modified }]): DataFile => {
    return { path: relative(top, path), size, mtime: modified, hash: null }
  })
  return {
    files: files.sort((one, other) => (one.path < other.path ? -1 : 1)),
    skipped: found.others.map(path => relative(top, path)).sort(),
    partial: found.complete ? null : `only ${files.length.toLocaleString('en-US')} files were looked at`,
  }
}

/** All files in the folder of a run but our own, with what belongs to no group; by their absolute paths. */
export function filesIn(folder: string, limit = everything): Listing {
  return listFiles([{ path: folder, deep: true }], limit)
}

/** The hash of a file that is still the same; null for another one. @param path absolute */
export async function hashOf(path: string, { size, mtime }: DataFile): Promise<string | null> {
  const isSame = () => {
    const state = listFiles([{ path, deep: false }], everything).files.get(path)
    return state?.size === size && state.modified === mtime
  }
  try {
    const hash = isSame() ? await digestOfFile(path) : null
    return hash !== null && isSame() ? hash : null
  } catch {
    // It cannot be read.
    return null
  }
}

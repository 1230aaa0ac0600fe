import { dirname, resolve } from 'node:path'
import { UserError } from '../../errors.js'
import { nearestExisting } from '../../runfolder/storage-path.js'
import { atomicWrite, exists, isFile, isFolder, realPath } from '../../system/files.js'
import type { Workspace } from '../workspace.js'

/** The absolute path of a file to write; of a link, that of its file. @throws UserError if no file can be there */
export function outputFile({ cwd }: Workspace, path: string): string {
  const file = realPath(resolve(cwd, path))
  if (isFolder(file)) throw new UserError(`${path} is a folder`, 'give the path of a file')
  if (exists(file) && !isFile(file)) throw new UserError(`${path} is no regular file`, 'give the path of a file')
  const above = nearestExisting(dirname(file))
  if (!isFolder(above)) throw new UserError(`${path} cannot be written: ${above} is no folder`, 'give another path')
  return file
}

/** Writes a file, in place of an earlier one. @param path relative to the folder of the user, or absolute */
export function saveOutput(workspace: Workspace, path: string, content: string | Uint8Array): void {
  atomicWrite(outputFile(workspace, path), content)
}

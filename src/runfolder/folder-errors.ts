import { dirname, join } from 'node:path'
import { OperationError } from '../errors.js'

/**
 * Explains errors of the disk, naming the folder.
 * @param error as it was thrown
 * @param around errors about anything in this folder are about `folder`
 * @returns the error to throw instead; other errors are returned unchanged
 */
export function explainFolder(error: unknown, folder: string, around = folder): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') {
    return new OperationError(`no space is left for ${folder}`, 'make room and try again; everything is as it was')
  }
  // Other paths are about something else, such as a shell that may not be executed.
  const path = 'path' in error && typeof error.path === 'string' ? error.path : null
  if (path === null || !(isWithin(folder, path) || isWithin(path, around))) return error
  // This is how making a folder with its parents fails on a read-only disk.
  const isReadOnly = error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'mkdir'
  if (isReadOnly || error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM') {
    return new OperationError(
      `${dirname(folder)} cannot be written`,
      'check its permissions, or choose another folder: qanat config set result_dir FOLDER',
    )
  }
  if (error.code === 'ENOTDIR' || error.code === 'EEXIST') {
    return new OperationError(
      `${dirname(folder)} is not a folder`,
      'move what is there away, or choose another folder: qanat config set result_dir FOLDER',
    )
  }
  return error
}

function isWithin(path: string, folder: string): boolean {
  return join(path, '/').startsWith(join(folder, '/'))
}

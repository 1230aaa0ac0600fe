import { dirname, resolve } from 'node:path'
import { UserError } from '../../errors.js'
import {
  atomicWrite,
  exists,
  isFile,
  isFolder,
  nearestExisting,
  realPath,
  replaceInSteps,
  writeDurably,
} from '../../system/files.js'
import { readRegular } from '../../system/regular-file.js'

/**
 * The absolute path of a file to write; of a link, that of its file.
 * @param cwd where a relative path starts
 * @throws UserError if no file can be there
 */
function outputFile(cwd: string, path: string): string {
  const file = realPath(resolve(cwd, path))
  if (isFolder(file)) throw new UserError(`${path} is a folder`, 'give the path of a file')
  if (exists(file) && !isFile(file)) throw new UserError(`${path} is no regular file`, 'give the path of a file')
  const above = nearestExisting(dirname(file))
  if (!isFolder(above)) throw new UserError(`${path} cannot be written: ${above} is no folder`, 'give another path')
  return file
}

/** Writes a file, in place of an earlier one, see {@link outputFile}. */
export function saveOutput(cwd: string, path: string, content: string | Uint8Array): void {
  atomicWrite(outputFile(cwd, path), content)
}

/**
 * The same in steps, between which signals are noticed.
 * @param content its pieces, all texts or all bytes; or what makes the file under a temporary name
 * @throws the reason of the signal once it is aborted; nothing is changed then
 */
export async function saveInSteps(
  cwd: string,
  path: string,
  content: Iterable<string | Uint8Array> | ((temporary: string) => Iterable<unknown>),
  signal: AbortSignal,
): Promise<void> {
  const steps = typeof content === 'function' ? content : (temporary: string) => writeDurably(temporary, content)
  await replaceInSteps(outputFile(cwd, path), steps, signal)
}

/** The text of a plot that was saved, with characters in the place of bytes that are none. @throws UserError if it cannot be read */
export function readFigure(cwd: string, path: string): string {
  const figure = readRegular(resolve(cwd, path))
  if (figure === null) throw new UserError(`${path} is no file that can be read`, 'give the path of a plot of Qanat')
  return figure
}

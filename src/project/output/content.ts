import { resolve } from 'node:path'
import { UserError } from '../../errors.js'
import { digestOfFile } from '../../system/digest.js'
import { digestsOf } from '../../system/folders/listing.js'
import { fileSize, readBytes } from '../../system/regular-file.js'
import { realPath, whatIsAt } from '../paths.js'

/** A file of the user, wherever it is, known by its content. */
export interface Content {
  /** Absolute, with links resolved. */
  readonly file: string
  /** In bytes. */
  readonly size: number
  readonly digest: string
}

/** @param typed relative to the folder of the user, or absolute @throws UserError if there is no file that can be read */
export async function findContent(cwd: string, typed: string): Promise<Content> {
  const file = realPath(resolve(cwd, typed))
  const hint = 'give the path of a file, as in: qanat whence figure.svg'
  const what = whatIsAt(file)
  if (what === null) throw new UserError(`there is no file ${typed}`, hint)
  if (what !== 'file')
    throw new UserError(
      `${typed} is ${what === 'folder' ? 'a folder: give one of its files' : 'no regular file'}`,
      hint,
    )
  try {
    return { file, size: fileSize(file), digest: await digestOfFile(file) }
  } catch (error) {
    throw new UserError(`${typed} cannot be read: ${(error as Error).message}`, hint)
  }
}

/** The bytes of a file; null if it is gone, or cannot be read. */
export function readContent(file: string): Uint8Array | null {
  return readBytes(file)
}

/**
 * Whether another file has the same content. Every empty file has: only its place tells something.
 * @param milliseconds that may be spent on it
 */
export async function hasContent(
  path: string,
  { file, size, digest }: Content,
  milliseconds: number,
): Promise<boolean> {
  if (size === 0) return realPath(path) === file
  if (fileSize(path) !== size) return false
  const [found] = await digestsOf([{ path, size }], { milliseconds, largest: size })
  return found === digest
}

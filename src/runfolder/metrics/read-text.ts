import { isAscii, isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, readFileSync, realpathSync } from 'node:fs'
import { TextDecoder } from 'node:util'
import { openRegular } from '../../system/regular-file.js'
import { isNothingThere } from './fitting-files.js'

/** The largest file that is read, in bytes: it is in memory as a whole. */
const largest = 32_000_000

/**
 * The text of a file that a group of a run has left.
 * @param runFolder of its run, absolute; links that lead out of it are not followed
 * @param isStrict whether text that is not UTF-8 is an error
 * @returns null if there is no file @throws Error for a file that must not or cannot be read
 */
export function readText(path: string, runFolder: string, isStrict: boolean): string | null {
  const file = openText(path, runFolder)
  if (file === null) return null
  try {
    const bytes = readFileSync(file)
    // To decode a part of a stream takes twice the memory.
    if (isAscii(bytes)) return bytes.toString('latin1')
    if (isUtf8(bytes)) return bytes.toString().replace(/^\ufeff/, '')
    const decoder = new TextDecoder('utf-8', { fatal: isStrict })
    const text = decoder.decode(bytes, { stream: true })
    return endsWithin(decoder) ? `${text}\ufffd` : text
  } catch (error) {
    throw error instanceof TypeError ? new Error('it is not UTF-8 text') : error
  } finally {
    closeSync(file)
  }
}

/** Opens such a file, see {@link readText}. */
export function openText(path: string, runFolder: string): number | null {
  const real = realPath(path)
  if (real === null) return null
  if (!isWithin(path, real, runFolder)) throw new Error('it is a link that leads out of the run')
  const file = openRegular(real)
  if (file === null) throw new Error('it is no regular file, or may not be read')
  if (fstatSync(file).size <= largest) return file
  closeSync(file)
  throw new Error(`it is larger than ${largest / 1_000_000} MB`)
}

/** Whether a file is in the folder of its run. If no part of its path is a link, no part of that of the run is one. */
function isWithin(path: string, real: string, runFolder: string): boolean {
  if (real === path && path.startsWith(`${runFolder}/`)) return true
  return real.startsWith(`${realpathSync.native(runFolder)}/`)
}

/** Whether a file that is still written, or was cut, ends within a letter: what is there of it must not be a whole value. */
function endsWithin(decoder: TextDecoder): boolean {
  try {
    return decoder.decode() !== ''
  } catch {
    return true
  }
}

function realPath(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (isNothingThere(error)) return null
    throw error
  }
}

/** What is read; null if the system cannot do that now. @param tell takes the reason: `permission denied` */
export function readNow<Read>(read: () => Read, tell: (reason: string) => void): Read | null {
  try {
    return read()
  } catch (error) {
    if (!isOfSystem(error)) throw error
    tell(error.message.replace(/^[A-Z\d]+: /, '').replace(/, [a-z]+( '.*)?$/s, ''))
    return null
  }
}

/** Whether the system, not the contents of a file, is the reason of an error. */
export function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
}

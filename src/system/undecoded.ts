import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { UserError } from '../errors.js'

/** Stands for bytes that are not UTF-8 in all that Node passes on, unless somebody has typed this very character. */
const replacement = '\uFFFD'

/**
 * Refuses a current folder and arguments that are not UTF-8: Node changes them, so that other files would be meant. Only
 * Linux tells of arguments what they were.
 * @throws UserError that names it
 */
export function refuseUndecoded(): void {
  const folder = process.cwd()
  if (folder.includes(replacement) && statSync(folder, { throwIfNoEntry: false })?.ino !== statSync('.').ino) {
    throw new UserError(`the path of this folder is not UTF-8: ${folder}`, 'rename the folder, or work in another one')
  }
  const word = process.argv.find(each => each.includes(replacement))
  if (word === undefined || !existsSync('/proc/self/cmdline') || isUtf8(readFileSync('/proc/self/cmdline'))) return
  throw new UserError(
    `an argument is not UTF-8, so it would not arrive as it was typed: ${word}`,
    'write it in UTF-8, or have the script read it from a file',
  )
}

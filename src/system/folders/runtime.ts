import { lstatSync, mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { OperationError } from '../../errors.js'

/**
 * The folder of this user for sockets, which only the user can enter. It is short, since the path of a socket may have 104 bytes
 * on macOS (sys/un.h), and ssh adds 17 while it makes one.
 * @throws OperationError if somebody else could use it
 */
export function runtimeFolder(): string {
  const { uid } = userInfo()
  const parent = process.env.XDG_RUNTIME_DIR
  const folder = parent !== undefined && parent.length < 50 ? join(parent, 'qanat') : `/tmp/qanat-${uid}`
  mkdirSync(folder, { mode: 0o700, recursive: true })
  const stats = lstatSync(folder)
  if (stats.isDirectory() && stats.uid === uid && (stats.mode & 0o077) === 0) return folder
  throw new OperationError(
    `${folder} is not a folder that only you can use, and connections are kept there`,
    `look at it: ls -ld ${folder}`,
  )
}

import { rmSync } from 'node:fs'
import { SchedulerError } from '../../errors.js'
import { atomicWrite } from '../../system/files.js'
import { readRegular } from '../../system/regular-file.js'

/** How long after a refused login the next one waits if nobody can type anything, in milliseconds; twice as long each time. */
const [firstPause, longestPause] = [60_000, 900_000]

/** The logins to a host that were refused since the last one that was not: the time of the last, and how many. */
interface Refused {
  readonly at: number
  readonly times: number
}

/**
 * Refuses a login of a script soon after one that was refused: hosts ban addresses from which these come again and again.
 * @param file where refusals of a host are noted
 * @throws SchedulerError that says when the next one is tried
 */
export function refuseSoon(file: string, host: string, now: number): void {
  const refused = read(file)
  if (refused === null) return
  const pause = Math.min(longestPause, firstPause * 2 ** (refused.times - 1))
  const left = refused.at + pause - now
  // A clock that was set back says nothing.
  if (left <= 0 || left > pause) return
  throw new SchedulerError(
    `the last login to ${host} was refused, and the next one is tried in ${Math.ceil(left / 1000)} s`,
    'on a terminal it is tried at once',
  )
}

/** Notes that a login was refused. */
export function noteRefused(file: string, now: number): void {
  atomicWrite(file, JSON.stringify({ at: now, times: (read(file)?.times ?? 0) + 1 }))
}

/** Forgets refusals: a login was not refused. */
export function forgetRefused(file: string): void {
  rmSync(file, { force: true })
}

function read(file: string): Refused | null {
  const [, at, times] = /^\{"at":(\d+),"times":(\d+)\}$/.exec(readRegular(file) ?? '') ?? []
  return at === undefined ? null : { at: Number(at), times: Number(times) }
}

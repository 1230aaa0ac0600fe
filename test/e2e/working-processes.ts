import { existsSync, readdirSync, readlinkSync } from 'node:fs'

/**
 * Ends the processes that work in a folder or below it, as those of a run that a test has left.
 * @returns whether none was found, once they have ended; only Linux tells where processes work
 */
export function endProcessesIn(folder: string): boolean {
  const working = workingIn(folder)
  for (const pid of working) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {}
  }
  return working.length === 0
}

/** The ids of the processes that work in a folder or below it. */
export function workingIn(folder: string): number[] {
  const pids = existsSync('/proc/self/cwd') ? readdirSync('/proc').filter(name => /^\d+$/.test(name)) : []
  return pids.filter(pid => `${placeOf(pid)}/`.startsWith(`${folder}/`)).map(Number)
}

/** The folder that a process works in; empty for one that has ended. */
function placeOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

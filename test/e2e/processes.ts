import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { processStart } from '../../src/system/process-identity.js'
import { type Folder, until } from './project.js'

/** Shell code that tells the test a process id, see {@link processCalled}. */
export function tells(name: string, pid = '$$'): string {
  return `echo ${pid} >"$QANAT_PROJECT/.qanat/pid_${name}"`
}

/** The process that a group has told of under a name, once it has; it is gone after the test. */
export async function processCalled(folder: Folder, name: string): Promise<number> {
  const file = `${folder.path}/.qanat/pid_${name}`
  const text = await until(
    () => (existsSync(file) ? readFileSync(file, 'utf8') : 'not there'),
    told => told.endsWith('\n'),
  )
  const pid = Number(text)
  onTestFinished(() => kill(pid))
  return pid
}

/** False for the remains of a process, too. */
export function lives(pid: number): boolean {
  return processStart(pid) !== null
}

/** Ends processes at once; those that are gone already do not matter. */
export function kill(...pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {}
  }
}

/** The same, and waits until they have ended. */
export async function end(...pids: number[]): Promise<void> {
  kill(...pids)
  await until(() => !pids.some(lives))
}

/** Whether a process of the session of this leader lives, which may be gone itself. Only Linux tells of sessions. */
export function sessionLives(leader: number): boolean {
  if (!existsSync('/proc/self/stat')) return false
  return readdirSync('/proc').some(pid => {
    try {
      return (
        /^\d+$/.test(pid) &&
        /.*\) [^Z] \d+ \d+ (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] === `${leader}`
      )
    } catch {
      // It has ended meanwhile.
      return false
    }
  })
}

export function parentOf(pid: number): number {
  // `ps` is not on every Linux.
  if (existsSync('/proc/self/stat')) return Number(/.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))![1])
  return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }))
}

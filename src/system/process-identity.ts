import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** A process that can be told from a later one with the same id, on this host or another. */
export interface ProcessIdentity {
  readonly host: string
  readonly bootId: string
  readonly pid: number
  /** Opaque: start time as the system counts it. */
  readonly start: string
}

/** What this machine is called in its network. */
export function hostName(): string {
  return hostname()
}

/** Changes at every boot of this machine. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return system('sysctl', ['-n', 'kern.boottime']) ?? 'unknown'
  }
}

/** Start time of a process of this host, null where there is none (or only its remains). */
export function processStart(pid: number): string | null {
  try {
    // The command name is in parentheses and may hold anything: count the fields behind the last one (proc(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields[0] === 'Z' ? null : fields[19]!
  } catch {
    return process.platform === 'linux' ? null : system('ps', ['-o', 'lstart=', '-p', String(pid)])
  }
}

/** Identity of a live process of this host. */
export function identify(pid: number): ProcessIdentity | null {
  const start = processStart(pid)
  return start === null ? null : { host: hostname(), bootId: bootId(), pid, start }
}

/** True where exactly this process lives on this host. */
export function isAlive(identity: ProcessIdentity): boolean {
  return isHere(identity) && identity.bootId === bootId() && processStart(identity.pid) === identity.start
}

/**
 * True where a process of this host with that id lives and began no later than then (milliseconds since the epoch):
 * an id that was given away again belongs to a later process. Where the start cannot be read, living is enough.
 */
export function livesSince(pid: number, started: number): boolean {
  const start = processStart(pid)
  if (start === null || process.platform !== 'linux') return start !== null
  const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])
  const ticksPerSecond = 100
  const age = uptime - Number(start) / ticksPerSecond
  const slack = 5_000
  return Date.now() - age * 1000 <= started + slack
}

/** True where the process is or was of this host: only then its life can be judged from here. */
export function isHere(identity: ProcessIdentity): boolean {
  return identity.host === hostname()
}

function system(program: string, args: readonly string[]): string | null {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() || null
  } catch {
    return null
  }
}

import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** The machine of a process, as far as it can be identified. */
export interface Machine {
  readonly host: string
  /** Stays the same when the host is renamed; diskless nodes may share it. Null if the system has none. */
  readonly machineId: string | null
  /** Changes at every boot. */
  readonly bootId: string
  /** Each namespace (such as a container) has its own process ids; null if the system has none. */
  readonly namespace: string | null
}

/** The machine of a process. Version 0.1 recorded neither the machine id nor the namespace. */
export type Place = Pick<Machine, 'host' | 'bootId'> & Partial<Pick<Machine, 'machineId' | 'namespace'>>

/** Identifies a process, on this machine or another, even if its id is used again later. */
export interface ProcessIdentity extends Place {
  readonly pid: number
  /** Opaque: the start time in the system's own format. */
  readonly start: string
}

/** A process of which only the id is known, and a time (milliseconds since the epoch) at which it was already running. */
export interface BegunProcess extends Place {
  readonly pid: number
  readonly begun: number
}

/** `unknown`: it cannot be checked from here. */
export type Life = 'lives' | 'dead' | 'unknown'

let machine: Machine | null = null

/** The machine of this program. */
export function thisMachine(): Machine {
  machine ??= { host: hostname(), machineId: machineId(), bootId: bootId(), namespace: namespace() }
  return machine
}

function machineId(): string | null {
  if (process.platform !== 'linux') return ask('sysctl', ['-n', 'kern.uuid'])
  return readLine('/etc/machine-id') ?? readLine('/var/lib/dbus/machine-id')
}

function bootId(): string {
  return readLine('/proc/sys/kernel/random/boot_id') ?? ask('sysctl', ['-n', 'kern.boottime']) ?? 'unknown'
}

function namespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return null
  }
}

/** Start time of a process of this machine; null if there is none (or only a zombie). */
export function processStart(pid: number): string | null {
  try {
    // The command name is in parentheses and may contain anything: count the fields after the last parenthesis (proc(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields[0] === 'Z' ? null : fields[19]!
  } catch {
    return process.platform === 'linux' ? null : ask('ps', ['-o', 'lstart=', '-p', String(pid)])
  }
}

/** Identity of a live process of this machine; null if there is none. */
export function identify(pid: number): ProcessIdentity | null {
  const start = processStart(pid)
  return start === null ? null : { ...thisMachine(), pid, start }
}

/** Whether exactly this process lives. */
export function lifeOf(process: ProcessIdentity | BegunProcess): Life {
  const place = placeOf(process)
  if (place !== 'here') return place === 'before boot' ? 'dead' : 'unknown'
  const isIt = 'start' in process ? processStart(process.pid) === process.start : beganBy(process)
  return isIt ? 'lives' : 'dead'
}

/**
 * Where a process is: `here`, where its id is valid; `before boot`, on this machine before its last boot; `elsewhere`, on
 * another machine or in another namespace.
 */
function placeOf(place: Place): 'here' | 'before boot' | 'elsewhere' {
  const here = thisMachine()
  const isSameHost = place.host === here.host
  if (place.bootId === here.bootId) {
    const isSameNamespace = place.namespace === undefined ? isSameHost : place.namespace === here.namespace
    return isSameNamespace ? 'here' : 'elsewhere'
  }
  const isSameMachine = place.machineId === undefined || place.machineId === here.machineId
  return isSameHost && isSameMachine ? 'before boot' : 'elsewhere'
}

/** True if exactly this process lives on this machine. */
export function isAlive(process: ProcessIdentity | BegunProcess): boolean {
  return lifeOf(process) === 'lives'
}

/** False if the id was reused by a later process. */
function beganBy({ pid, begun }: BegunProcess): boolean {
  const age = ageOf(pid)
  const slack = 5_000
  return age !== null && Date.now() - age <= begun + slack
}

/** Milliseconds since the start of a process; null if there is none. */
function ageOf(pid: number): number | null {
  const start = processStart(pid)
  if (start === null) return null
  if (process.platform !== 'linux') {
    const began = Date.parse(start)
    return Number.isNaN(began) ? null : Date.now() - began
  }
  const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])
  const ticksPerSecond = 100
  return (uptime - Number(start) / ticksPerSecond) * 1000
}

function readLine(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null
  } catch {
    return null
  }
}

function ask(program: string, args: readonly string[]): string | null {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() || null
  } catch {
    return null
  }
}

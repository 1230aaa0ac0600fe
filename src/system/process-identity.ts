import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** The machine that processes live on, as far as it can be told from here. */
export interface Machine {
  readonly host: string
  /** Stays the same when the machine gets another name; diskless nodes may share it. Null where the system has none. */
  readonly machineId: string | null
  /** Changes at every boot. */
  readonly bootId: string
  /** Process ids count anew in each namespace (a container has its own); null where the system has none. */
  readonly namespace: string | null
}

/** Where a process is or was. Version 0.1 recorded neither the machine nor the namespace. */
export type Place = Pick<Machine, 'host' | 'bootId'> & Partial<Pick<Machine, 'machineId' | 'namespace'>>

/** A process that can be told from a later one with the same id, on this machine or another. */
export interface ProcessIdentity extends Place {
  readonly pid: number
  /** Opaque: the start time as the system counts it. */
  readonly start: string
}

/** A process of a group, of which only its id is known, and a time (milliseconds since the epoch) at which it had begun. */
export interface BegunProcess extends Place {
  readonly pid: number
  readonly begun: number
  /** What its variable QANAT_STORAGE_PATH may be. It tells where the clock, which may be set meanwhile, does not. */
  readonly storagePaths: readonly string[]
}

/** `unknown`: from here nobody can tell. */
export type Life = 'lives' | 'dead' | 'unknown'

let machine: Machine | null = null

/** The machine of this program. */
export function thisMachine(): Machine {
  machine ??= { host: hostname(), machineId: machineId(), bootId: bootId(), namespace: namespace() }
  return machine
}

function machineId(): string | null {
  if (process.platform !== 'linux') return ask('sysctl', ['-n', 'kern.uuid'])
  return readText('/etc/machine-id') ?? readText('/var/lib/dbus/machine-id')
}

function bootId(): string {
  return readText('/proc/sys/kernel/random/boot_id') ?? ask('sysctl', ['-n', 'kern.boottime']) ?? 'unknown'
}

function namespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return null
  }
}

/** Start time of a process of this machine, null where there is none (or only a zombie). */
export function processStart(pid: number): string | null {
  try {
    // The command name is in parentheses and may hold anything: count the fields behind the last one (proc(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields[0] === 'Z' ? null : fields[19]!
  } catch {
    return process.platform === 'linux' ? null : ask('ps', ['-o', 'lstart=', '-p', String(pid)])
  }
}

/** Identity of a live process of this machine; null where there is none. */
export function identify(pid: number): ProcessIdentity | null {
  const start = processStart(pid)
  return start === null ? null : { ...thisMachine(), pid, start }
}

/** Whether exactly this process lives. */
export function lifeOf(process: ProcessIdentity | BegunProcess): Life {
  const place = placeOf(process)
  if (place !== 'here') return place === 'before boot' ? 'dead' : 'unknown'
  const isIt = 'start' in process ? processStart(process.pid) === process.start : beganBy(process) || isNamed(process)
  return isIt ? 'lives' : 'dead'
}

/**
 * Where a process is or was: `here`, its id means the same process to us; `before boot`, this machine has booted since;
 * `elsewhere`, on another machine or in another namespace.
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

/** True where exactly this process lives on this machine. */
export function isAlive(process: ProcessIdentity | BegunProcess): boolean {
  return lifeOf(process) === 'lives'
}

/** An id that was given away again belongs to a later process. */
function beganBy({ pid, begun }: BegunProcess): boolean {
  const age = ageOf(pid)
  const slack = 5_000
  return age !== null && Date.now() - age <= begun + slack
}

function isNamed({ pid, storagePaths }: BegunProcess): boolean {
  const environment = readText(`/proc/${pid}/environ`)?.split('\0') ?? []
  return storagePaths.some(path => environment.includes(`QANAT_STORAGE_PATH=${path}`))
}

/** Milliseconds since the start of a process, null where there is none. */
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

/** The text of a file without blanks around it; null where there is none, or it may not be read. */
function readText(path: string): string | null {
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

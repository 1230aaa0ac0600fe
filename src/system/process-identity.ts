import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { OperationError } from '../errors.js'

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

/** Identifies a process, on this machine or another, even if its id is used again later. */
export interface ProcessIdentity extends Machine {
  readonly pid: number
  /** Opaque: the start time in the system's own format. */
  readonly start: string
}

/** A process of a group of which only the id is known, and a time (milliseconds since the epoch) at which it was running. */
export interface BegunProcess extends Machine {
  readonly pid: number
  readonly begun: number
  /** Possible values of its variable QANAT_STORAGE_PATH, which identifies the process even if the clock was set. */
  readonly storagePaths: readonly string[]
}

/** `unknown`: it cannot be checked from here. */
export type Life = 'lives' | 'dead' | 'unknown'

let machine: Machine | null = null

/** The machine of this program. */
export function thisMachine(): Machine {
  machine ??= { host: hostname(), machineId: machineId(), bootId: bootId(), namespace: namespace() }
  return machine
}

/** The name of the user of this program; in a container without an entry for the user, the number. */
export function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid!())
  }
}

function machineId(): string | null {
  if (process.platform === 'linux') return readText('/etc/machine-id') ?? readText('/var/lib/dbus/machine-id')
  // Not `kern.uuid`, which is the kernel's: Macs with the same system share it, and an update changes it.
  const platform = ask('ioreg', '-rd1', '-c', 'IOPlatformExpertDevice')
  return /"IOPlatformUUID" = "(.+)"/.exec(platform ?? '')?.[1] ?? null
}

/** On macOS not the time of the boot, which the kernel computes again whenever the clock is set. */
function bootId(): string {
  const id = readText('/proc/sys/kernel/random/boot_id') ?? ask('sysctl', '-n', 'kern.bootsessionuuid')
  return id ?? `unknown boot of ${hostname()}`
}

function namespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return null
  }
}

/**
 * Start time of a process of this machine; null if there is none (or only a zombie).
 * @throws OperationError if the system does not say: never guess that a process has ended
 */
export function processStart(pid: number): string | null {
  if (process.platform !== 'linux') return startsByPs([pid]).get(pid) ?? null
  try {
    // The command name is in parentheses and may contain anything: count the fields after the last parenthesis (proc(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields[0] === 'Z' ? null : fields[19]!
  } catch {
    return null
  }
}

function hides(pid: number): boolean {
  if (process.platform !== 'linux' || readText(`/proc/${pid}/stat`) !== null) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Start times of processes, by their ids. BSD's ps reads the text after `=` as a heading: each column needs its own option. */
function startsByPs(pids: readonly number[]): Map<number, string> {
  const columns = ['pid=', 'stat=', 'lstart='].flatMap(column => ['-o', column])
  const lines = ask('ps', ...columns, '-p', pids.join())?.split('\n') ?? []
  const processes = lines.map(line => line.trim().split(/\s+/))
  const alive = processes.filter(([, state]) => !state!.startsWith('Z'))
  return new Map(alive.map(([pid, , ...start]) => [Number(pid), start.join(' ')]))
}

/** Identity of a live process of this machine; null if there is none. */
export function identify(pid: number): ProcessIdentity | null {
  const start = processStart(pid)
  return start === null ? null : { ...thisMachine(), pid, start }
}

/** Answers of a machine about its processes. */
export interface ProcessTable {
  readonly machine: Machine
  /** Whether its id is its own, also if it was renamed. */
  readonly hasOwnId: boolean
  /** Start time of a process in the system's own format; null if there is none. */
  startOf(pid: number): string | null
  /** Whether there is a process of another user, of which the system tells no more than that (hidepid in proc(5)). */
  hides(pid: number): boolean
  /** The same by its clock, in milliseconds since the epoch. */
  timeOf(start: string): number
  /** Values of the variable QANAT_STORAGE_PATH of a process. */
  storagePathsOf(pid: number): readonly string[]
}

const ownTable: ProcessTable = {
  get machine() {
    return thisMachine()
  },
  // Diskless nodes may share the id of their machine. A Mac's is its own, and its name changes with the network.
  get hasOwnId() {
    return process.platform === 'darwin' && thisMachine().machineId !== null
  },
  startOf: processStart,
  hides,
  timeOf: start => Date.now() - ageSince(start),
  storagePathsOf,
}

/** Whether exactly this process lives. @throws OperationError if the system does not say */
export function lifeOf(process: ProcessIdentity | BegunProcess, table: ProcessTable = ownTable): Life {
  const place = placeOf(process, table)
  if (place !== 'here') return place === 'before boot' ? 'dead' : 'unknown'
  const start = table.startOf(process.pid)
  if (start === null && table.hides(process.pid)) return 'unknown'
  const isIt = 'start' in process ? start === process.start : start !== null && isBegun(process, table, start)
  return isIt ? 'lives' : 'dead'
}

/** The same for several processes, with at most one call of a program. It does not throw. */
export function livesOf(processes: readonly (ProcessIdentity | BegunProcess)[]): Life[] {
  try {
    if (process.platform === 'linux') return processes.map(each => lifeOf(each))
    const ids = processes.filter(each => placeOf(each, ownTable) === 'here').map(({ pid }) => pid)
    const starts = ids.length === 0 ? new Map<number, string>() : startsByPs(ids)
    return processes.map(each => lifeOf(each, { ...ownTable, startOf: pid => starts.get(pid) ?? null }))
  } catch {
    return processes.map(() => 'unknown')
  }
}

/**
 * Where a process is: `here`, where its id is valid; `before boot`, on the machine that was asked before its last boot;
 * `elsewhere`, on another machine or in another namespace.
 */
function placeOf(place: Machine, { machine: here, hasOwnId }: ProcessTable): 'here' | 'before boot' | 'elsewhere' {
  const isSameHost = place.host === here.host
  if (place.bootId === here.bootId) return place.namespace === here.namespace ? 'here' : 'elsewhere'
  const isSameMachine = place.machineId === here.machineId
  return isSameMachine && (isSameHost || hasOwnId) ? 'before boot' : 'elsewhere'
}

/** True if exactly this process lives on this machine. */
export function isAlive(process: ProcessIdentity | BegunProcess): boolean {
  return lifeOf(process) === 'lives'
}

/** False if the id was reused by a later process. */
function isBegun({ pid, begun, storagePaths }: BegunProcess, table: ProcessTable, start: string): boolean {
  const slack = 5_000
  if (table.timeOf(start) <= begun + slack) return true
  return table.storagePathsOf(pid).some(path => storagePaths.includes(path))
}

function storagePathsOf(pid: number): string[] {
  const prefix = 'QANAT_STORAGE_PATH='
  const variables = readText(`/proc/${pid}/environ`)?.split('\0') ?? []
  return variables.filter(each => each.startsWith(prefix)).map(each => each.slice(prefix.length))
}

/** Milliseconds since the start of a process. */
function ageSince(start: string): number {
  if (process.platform !== 'linux') return Date.now() - Date.parse(`${start} UTC`)
  const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])
  const ticksPerSecond = 100
  return (uptime - Number(start) / ticksPerSecond) * 1000
}

/** The trimmed text of a file; null if it is missing or may not be read. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null
  } catch {
    return null
  }
}

/**
 * The output of a system program, independent of the user's language and time zone; null if it fails.
 * @throws OperationError if it cannot be run
 */
function ask(program: string, ...words: string[]): string | null {
  // Jobs of cron and launchd find programs in /usr/bin and /bin only.
  const env = { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin:/usr/bin:/bin`, LC_ALL: 'C', TZ: 'UTC' }
  const { stdout, stderr, status, error } = spawnSync(program, words, { encoding: 'utf8', env })
  if (status === 0) return stdout.trim()
  const reason = error?.message ?? stderr.trim()
  if (reason === '') return null
  throw new OperationError(`${program} cannot be run: ${reason}`, 'try again')
}

import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Asked } from '../../domain/job-environment.js'
import { launchFolder } from '../../domain/runs/run-plan.js'
import { notePeak } from '../../runfolder/evidence/peaks.js'
import { type GroupsToRun, planGroups } from '../../runfolder/evidence/plan-groups.js'
import { slotName, workerLine } from '../../runfolder/evidence/slot-journals.js'
import { areStartsHeld, writeSupervisor } from '../../runfolder/evidence/supervisor-file.js'
import { recordsFolder, supervisorLog } from '../../runfolder/layout.js'
import { removeSecrets } from '../../runfolder/secrets/secrets-file.js'
import { faultPoint } from '../../system/fault-point.js'
import { identify, type ProcessIdentity, thisMachine } from '../../system/process-identity.js'
import { gracePeriod, type MarkedProcess } from '../../system/processes/marked.js'
import { memoryBelow, tellsMemory } from '../../system/processes/memory.js'
import { RunProcesses, type StopOrder, stopAttempt } from './stop.js'

/** The order of a launch to the supervisor, one line of JSON on its standard input. */
export interface Order extends GroupsToRun {
  readonly runId: number
  /** Number of the attempt, from 1. */
  readonly attempt: number
  readonly slots: number
  /** The words that start the shell of a slot. */
  readonly shell: readonly string[]
  /** Whether the processes of the groups descend from their shells, so that their memory can be known. */
  readonly descend: boolean
  /** The limits of each group: seconds and bytes; null for none. */
  readonly limits: Pick<Asked, 'time' | 'memory'>
}

/** After this many shells in a row that could not start, give up, so that not all groups are used up. */
const maximalFailures = 20

/** How often to look at the groups, in milliseconds. */
const sampleInterval = 1_000
/** The more memory there is, the longer a look at it takes. Looks take no more than this part of the time. */
const sampleShare = 0.05

/** How often to look whether groups may start again, in milliseconds. */
const holdInterval = 200

/** A shell, and the line of its current group. */
interface Slot {
  readonly number: number
  readonly shell: ChildProcess
  readonly identity: ProcessIdentity | null
  readonly journal: string
  /** Null once it is answered. */
  current: Current | null
}

/** A group that was given to a shell. */
interface Current {
  readonly index: number
  readonly line: string
  /** When, in the milliseconds of `performance.now()`. */
  readonly given: number
  /** The most memory that was seen, in bytes, and how often it was looked at. */
  peak: number
  samples: number
  /** The timer that kills it, once it was told to end. */
  ending?: NodeJS.Timeout
}

/** How long a group that had too much memory may live on, in milliseconds: its shell kills it at once. */
const memoryGrace = 1_000

/**
 * Runs the groups of one local run with one shell for each slot. A shell gets the next group when it answers that its
 * last one has ended. The supervisor has its own session, and its death loses nothing: the shells record how groups end.
 */
class Supervisor {
  private readonly groups: Iterator<string | null>
  private readonly slots = new Set<Slot>()
  private stopping = false
  /** Whether the folder of the run was moved away: groups would run at its former place, where nobody looks. */
  private isMoved = false
  /** The number of shells in a row that ended without an answer. */
  private failures = 0
  /** For messages of the shells; what groups write goes to their own files. */
  private readonly log: number
  private readonly processes: RunProcesses
  private readonly tellsMemory: boolean
  /** When to look at the memory again, in the milliseconds of `performance.now()`. */
  private nextSample = 0

  constructor(private readonly order: Order) {
    // The plan is opened at once, so that the launch learns if it cannot be read.
    this.groups = planGroups(order, openSync(`${order.storagePath}/.run/plan`, 'r'))
    mkdirSync(`${order.storagePath}/${recordsFolder}`, { recursive: true })
    const shells = () => [...this.slots].flatMap(({ identity }) => identity ?? [])
    this.processes = new RunProcesses({ ...order, place: { there: order.storagePath } }, thisMachine(), shells)
    this.log = openSync(`${order.storagePath}/${supervisorLog}`, 'a')
    this.tellsMemory = order.descend && tellsMemory()
    process.on('SIGTERM', () => void this.stop())
  }

  /** Fills the slots. The process ends on its own when the last shell has ended. */
  start(): void {
    for (let number = 0; number < this.order.slots; number++) this.fill(number)
    setInterval(() => this.watch(), sampleInterval).unref()
  }

  /** Keeps the limits of the groups, and notes their memory. */
  private watch(): void {
    const begun = performance.now()
    for (const slot of this.slots) this.checkTime(slot, begun)
    if (begun < this.nextSample || !this.tellsMemory) return
    const ready = [...this.slots].filter(slot => isReady(slot, begun))
    const all = ready.length > 0 ? this.processes.all() : []
    for (const slot of ready) this.lookAt(slot, all)
    this.nextSample = begun + (performance.now() - begun) / sampleShare
  }

  private checkTime(slot: Slot, now: number): void {
    const { time } = this.order.limits
    if (time !== null && slot.current && now - slot.current.given >= 1000 * time)
      this.endGroup(slot, slot.current, 'SIGURG', gracePeriod)
  }

  /**
   * At the first look at a group, its script may still be starting, so that one look tells too little.
   * @param all processes of the run, wherever they have gone
   */
  private lookAt(slot: Slot & { readonly current: Current }, all: readonly MarkedProcess[]): void {
    const { shell, current, journal } = slot
    const own = all.filter(({ group }) => group === current.index).map(({ pid }) => pid)
    const memory = memoryBelow(shell.pid!, current.peak, own)
    const isMore = memory > current.peak
    if (isMore) current.peak = memory
    current.samples++
    const limit = this.order.limits.memory
    const isTooMuch = limit !== null && current.peak > limit
    if (current.peak === 0 || (current.samples === 1 && !isTooMuch)) return
    if (isMore || current.samples === 2) notePeak(this.order.storagePath, journal, current.index, current.peak)
    if (isTooMuch) this.endGroup(slot, current, 'SIGXCPU', memoryGrace)
  }

  /** Tells the shell of a slot once to end its group, and kills the group if it has not ended after the grace. */
  private endGroup({ shell }: Slot, group: Current, signal: 'SIGURG' | 'SIGXCPU', grace: number): void {
    if (group.ending) return
    shell.kill(signal)
    group.ending = setTimeout(() => this.processes.killGroups(group.index), grace)
  }

  /** Gives a group to a shell, which answers once the group has ended. */
  private give(slot: Slot, line: string): void {
    slot.current = { index: Number.parseInt(line, 10), line, given: performance.now(), peak: 0, samples: 0 }
    slot.shell.stdin!.write(line)
    faultPoint('slot-given')
  }

  private fill(number: number, line = this.next()): void {
    if (line === null) return
    const [program, ...options] = this.order.shell as [string, ...string[]]
    const { storagePath, attempt } = this.order
    const name = slotName(attempt, number)
    const journal = `${storagePath}/${recordsFolder}/${name}`
    const script = `${storagePath}/${launchFolder(attempt)}/job.sh`
    const shell = spawn(program, [...options, script, 'work', journal, hostname(), '-', '0'], {
      detached: true,
      stdio: ['pipe', 'pipe', this.log],
    })
    shell.on('error', error => writeSync(this.log, `cannot start ${program}: ${error.message}\n`))
    if (shell.pid === undefined) return
    faultPoint('slot-started')
    const identity = identify(shell.pid)
    if (identity) appendFileSync(journal, workerLine(identity))
    faultPoint('slot-known')
    const slot: Slot = { number, shell, identity, journal: name, current: null }
    this.slots.add(slot)
    shell.stdin!.on('error', () => {})
    shell.stdout!.on('data', text => this.answered(slot, String(text)))
    shell.on('close', () => this.closed(slot))
    this.give(slot, line)
  }

  private answered(slot: Slot, text: string): void {
    faultPoint('slot-answered')
    if (text.includes('moved')) this.isMoved = true
    this.failures = 0
    clearTimeout(slot.current?.ending)
    slot.current = null
    this.giveNext(slot)
  }

  /** While somebody is asked whether the run is to go on, a shell waits for its next group. */
  private giveNext(slot: Slot): void {
    if (!this.slots.has(slot)) return
    if (!this.stopping && areStartsHeld(this.order.storagePath)) {
      setTimeout(() => this.giveNext(slot), holdInterval)
      return
    }
    const line = this.next()
    if (line === null) slot.shell.stdin!.end()
    else this.give(slot, line)
  }

  /** A shell may be killed before it has claimed its group: its successor tries that group again. */
  private closed(slot: Slot): void {
    faultPoint('slot-closed')
    clearTimeout(slot.current?.ending)
    this.slots.delete(slot)
    this.failures++
    if (this.stopping || this.isMoved || this.failures >= maximalFailures) return
    this.fill(slot.number, slot.current?.line)
  }

  /** The line of the next group; null if none is left. */
  private next(): string | null {
    if (this.stopping || this.isMoved) return null
    const { value, done } = this.groups.next()
    if (!done && value === null) this.isMoved = true
    return done ? null : value
  }

  /** The first call gives the groups time to end by themselves, the second does not. */
  private async stop(): Promise<void> {
    if (this.stopping) return this.processes.killAll()
    this.stopping = true
    faultPoint('supervisor-stopping')
    for (const { shell } of this.slots) shell.stdin!.end()
    await this.processes.stop(gracePeriod)
  }
}

/** Whether a slot has run its group long enough to look at it. */
function isReady(slot: Slot, now: number): slot is Slot & { readonly current: Current } {
  return slot.current !== null && now - slot.current.given >= sampleInterval && slot.shell.exitCode === null
}

function begin(order: Order): void {
  writeSupervisor(order.storagePath, order.attempt, identify(process.pid))
  faultPoint('supervisor-known')
  const supervisor = new Supervisor(order)
  process.stdout.on('error', () => {})
  process.on('exit', () => removeSecrets(order.storagePath, order.attempt))
  process.stdout.write('ready\n')
  faultPoint('supervisor-ready')
  supervisor.start()
}

async function stop(order: StopOrder): Promise<void> {
  await stopAttempt(order)
  process.stdout.write('stopped\n')
}

function fail(error: unknown): void {
  const { message, code } = error as NodeJS.ErrnoException
  // Shells that were already started end at the end of their input.
  process.stdout.write(`${JSON.stringify({ message, code })}\n`, () => process.exit(1))
}

// An order ends with a newline. Without one, the launch has failed, and there is nothing to do.
let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (text: string) => {
  input += text
  if (!input.endsWith('\n')) return
  process.stdin.destroy()
  const order = JSON.parse(input) as Order | StopOrder
  if ('supervisor' in order) return void stop(order).catch(fail)
  faultPoint('supervisor-ordered')
  try {
    begin(order)
  } catch (error) {
    fail(error)
  }
})

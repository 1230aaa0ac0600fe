import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, closeSync, mkdirSync, openSync, readSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { StringDecoder } from 'node:string_decoder'
import { groupFolder } from '../../domain/run-plan.js'
import { takeWord } from '../../domain/shell-text.js'
import { identify } from '../../system/process-identity.js'
import { logFile, recordsFolder, supervisorFile, workerLine } from './records.js'
import { gracePeriod, killGroups, stopWorkers } from './stop.js'

/** What the launch tells the supervisor, one JSON line on its standard input. */
export interface Order {
  /** Absolute folder of the run. */
  readonly storagePath: string
  readonly groupCount: number
  readonly slots: number
  /** The words that start the shell of a slot. */
  readonly shell: readonly string[]
  /** The plan's lines to run; null for all. */
  readonly indices: readonly number[] | null
}

/** A shell that cannot even start must not use up all groups. */
const maximalFailures = 20

/**
 * Runs the groups of one local run: as many shells as there are slots, each given the next group as soon as it
 * answers that it is free. It is a session of its own and owns nothing that its death would lose: the shells
 * record how groups end.
 */
class Supervisor {
  private readonly groups: Iterator<string>
  private readonly workers = new Set<ChildProcess>()
  private stopping = false
  /** Shells in a row that ended without having answered once. */
  private failures = 0
  /** For what the shells have to say; what groups write goes to their own files. */
  private readonly log: number

  constructor(private readonly order: Order) {
    this.groups = planGroups(order)
    mkdirSync(`${order.storagePath}/${recordsFolder}`, { recursive: true })
    this.log = openSync(`${order.storagePath}/${logFile}`, 'a')
    process.on('SIGTERM', () => void this.stop())
  }

  /** Fills the slots; the process ends by itself once the last shell has. */
  start(): void {
    for (let slot = 0; slot < this.order.slots; slot++) this.fill(slot)
  }

  private fill(slot: number): void {
    const first = this.next()
    if (first === undefined) return
    const [program, ...options] = this.order.shell as [string, ...string[]]
    const journal = `${this.order.storagePath}/${recordsFolder}/slot_${slot}`
    const worker = spawn(program, [...options, `${this.order.storagePath}/.run/job.sh`, 'work', journal, hostname()], {
      detached: true,
      stdio: ['pipe', 'pipe', this.log],
    })
    worker.on('error', error => writeSync(this.log, `cannot start ${program}: ${error.message}\n`))
    if (worker.pid === undefined) return
    const identity = identify(worker.pid)
    if (identity) appendFileSync(journal, workerLine(identity))
    this.workers.add(worker)
    const stdin = worker.stdin!
    stdin.on('error', () => {})
    stdin.write(first)
    worker.stdout!.on('data', () => {
      this.failures = 0
      const group = this.next()
      if (group === undefined) stdin.end()
      else stdin.write(group)
    })
    worker.on('close', () => {
      this.workers.delete(worker)
      this.failures++
      if (this.failures < maximalFailures) this.fill(slot)
    })
  }

  private next(): string | undefined {
    return this.stopping ? undefined : (this.groups.next().value as string | undefined)
  }

  /** The first call leaves the groups time to end by themselves, the second does not. */
  private async stop(): Promise<void> {
    if (this.stopping) return killGroups(this.order.storagePath)
    this.stopping = true
    for (const worker of this.workers) worker.stdin?.end()
    await stopWorkers(this.order.storagePath, gracePeriod)
  }
}

/** Lines of the plan, each behind its index, read as they are needed. */
function* planGroups(order: Order): Generator<string> {
  const { storagePath, indices } = order
  const wanted = indices && new Set(indices)
  let index = -1
  for (const line of readLines(`${storagePath}/.run/plan`)) {
    if (index >= 0 && (!wanted || wanted.has(index))) yield openGroup(order, index, line)
    index++
  }
}

/**
 * Makes the folder of a group and its group_info.yaml, which costs a shell several times as much, and returns the
 * line that starts the group. Where that fails, the job script tries again and records why it cannot start.
 */
function openGroup({ storagePath, groupCount }: Order, index: number, line: string): string {
  const folder = groupFolder(storagePath, groupCount, index)
  const { word, rest } = takeWord(line)
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}/group_info.yaml`, word)
    return `${index} '' ${rest}\n`
  } catch {
    return `${index} ${line}\n`
  }
}

function* readLines(path: string): Generator<string> {
  const file = openSync(path, 'r')
  const chunk = Buffer.alloc(65_536)
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for (;;) {
    const size = readSync(file, chunk)
    if (size === 0) break
    const lines = (rest + decoder.write(chunk.subarray(0, size))).split('\n')
    rest = lines.pop()!
    yield* lines
  }
  closeSync(file)
}

function begin(order: Order): void {
  const path = `${order.storagePath}/${supervisorFile}`
  writeFileSync(`${path}.new`, JSON.stringify(identify(process.pid)))
  renameSync(`${path}.new`, path)
  const supervisor = new Supervisor(order)
  process.stdout.on('error', () => {})
  process.stdout.write('ready\n')
  supervisor.start()
}

// Without an order, which ends with a newline, the launch came to nothing: there is nothing to do.
let input = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (text: string) => {
  input += text
  if (!input.endsWith('\n')) return
  process.stdin.destroy()
  begin(JSON.parse(input) as Order)
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import type { EndRecord } from '../../src/domain/runs/group-record.js'
import { planLines } from '../../src/domain/runs/run-plan.js'
import { SlotJournals } from '../../src/runfolder/evidence/slot-journals.js'
import { recordsFolder } from '../../src/runfolder/layout.js'
import { processStart } from '../../src/system/process-identity.js'
import { until } from '../e2e/project.js'
import { type Facts, RunFolder } from './run-folder.js'

/** Put into a script, tells the test the id of a process: see {@link RunFolder.process}. */
export function tells(name: string, pid = '$$'): string {
  return `echo ${pid} >"$QANAT_PROJECT/pid_${name}"\n`
}

/** Shell code that notes in the order of events that it came there: see {@link orderOf}. */
export function notes(event: string): string {
  return `echo "${event}" >>"$QANAT_PROJECT/order"\n`
}

/** The events that were noted in the project of a run, in their order. */
export function orderOf(run: { read(...parts: string[]): string | null }): string[] {
  return run.read('../../../order')?.split('\n').slice(0, -1) ?? []
}

/** A shell that works on the groups of a run in a folder of its own, as a slot of the local runner does. */
export class Worker extends RunFolder {
  stdout = ''
  stderr = ''
  private readonly child: ChildProcess
  private readonly exit: Promise<[code: number | null]>

  /**
   * @param variables those around the worker
   * @param slot where its journal is: another one beside a first has the plan of that
   */
  constructor(shell: string, { variables, ...facts }: Facts & { variables?: NodeJS.ProcessEnv }, slot = 0) {
    super(facts)
    const journal = this.path(recordsFolder, `slot_${slot}`)
    this.child = spawn(shell, [this.path('.run/job.sh'), 'work', journal, 'n1', '-', '0'], {
      detached: true,
      env: { ...process.env, ...variables },
    })
    this.exit = once(this.child, 'close') as Promise<[code: number | null]>
    this.child.stdin!.on('error', () => {})
    this.child.stdout!.on('data', chunk => (this.stdout += chunk))
    this.child.stderr!.on('data', chunk => (this.stderr += chunk))
    onTestFinished(() => endAllOf(this.plan.projectRoot, this.child.pid!))
  }

  /** Hands it a group, as the plan has it. */
  give(index: number): void {
    this.write(`${index} ${[...planLines(this.plan)][index + 1]}`)
  }

  write(text: string): void {
    this.child.stdin!.write(text)
  }

  /** Hands it every group, and returns the exit code with which it has ended. */
  runAll(): Promise<number | null> {
    for (let index = 0; index < this.plan.groupCount; index++) this.give(index)
    return this.end()
  }

  /** Tells it that nothing follows, and returns the exit code with which it has ended. */
  async end(): Promise<number | null> {
    this.child.stdin!.end()
    return (await this.exit)[0]
  }

  /** What cancelling does: SIGTERM to the shell, and nothing more to run. */
  stop(): Promise<number | null> {
    this.signal('SIGTERM')
    return this.end()
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.child.pid!, signal)
  }

  /** How a group ended, as far as it is recorded. */
  endOf(index = 0): EndRecord | undefined {
    return new SlotJournals(this.plan.storagePath, null).readOn().ends.get(index)
  }
}

/** A worker that has run all groups to their ends. */
export async function ran(...given: ConstructorParameters<typeof Worker>): Promise<Worker> {
  const worker = new Worker(...given)
  await worker.runAll()
  return worker
}

/** A process that was killed may take a moment to be gone; its remains do not count. */
export async function expectEnded(pid: number): Promise<void> {
  await until(() => processStart(pid) === null)
}

/** Ends whatever a failed test has left: all that a job script has started knows its project. */
export function endAllOf(project: string, leader: number): void {
  kill(-leader)
  const mark = `QANAT_PROJECT=${project}\0`
  for (const pid of existsSync('/proc') ? readdirSync('/proc').filter(name => /^\d+$/.test(name)) : []) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)) kill(Number(pid))
    } catch {}
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

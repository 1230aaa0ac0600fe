import { writeFileSync } from 'node:fs'
import type { EndRecord } from '../../src/domain/runs/group-record.js'
import { claimedPositions } from '../../src/runfolder/evidence/keeper-file.js'
import { SlotJournals } from '../../src/runfolder/evidence/slot-journals.js'
import { claimedFile, slotsFile } from '../../src/runfolder/layout.js'
import { poolFiles } from '../../src/runners/job-script.js'
import { type ProcessIdentity, thisMachine } from '../../src/system/process-identity.js'
import { JobShell } from './job-shell.js'
import { type Facts, RunFolder } from './run-folder.js'

/** A pool that runs the groups of a run in a folder of its own, in one slot unless the plan has more. */
export class Worker extends RunFolder {
  readonly shell: JobShell

  /** @param variables those around the pool @param again `again` for one that goes on with a pool whose processes have died */
  constructor(shell: string, { variables, ...facts }: Facts & { variables?: NodeJS.ProcessEnv }, ...again: string[]) {
    super(facts, plan => poolFiles(plan))
    const words = [this.path('.run/job.sh'), 'pool', '', 'n1', '-', '0', ...again]
    this.shell = new JobShell(this.plan.projectRoot, shell, words, variables)
  }

  /** Lets it begin. */
  start(): void {
    this.shell.write(`${JSON.stringify({ ...thisMachine(), host: 'n1' })}\n`)
  }

  /** Lets it begin, and waits until scripts tell of these processes. @returns their ids */
  begin(...processes: string[]): Promise<number[]> {
    this.start()
    return this.processes(...processes)
  }

  /** Runs every group, and returns the exit code with which it has ended. */
  runAll(): Promise<number | null> {
    this.start()
    return this.shell.end()
  }

  /** Changes how many slots there are. */
  setSlots(slots: number): void {
    writeFileSync(this.path(slotsFile(1)), `${slots}\n`)
  }

  /** A pool that goes on with this one, whose processes have died. @param wanted the groups that have not begun */
  goOn(shell: string, wanted = this.notBegun()): Worker {
    const { groupCount, place } = this.plan
    const all = Array.from({ length: groupCount }, (_, index) => index)
    const claimed = claimedPositions(place.here, groupCount, all, new Set(wanted))
    this.setSlots(this.plan.slots ?? 1)
    writeFileSync(this.path(claimedFile(1)), claimed.map(position => `${position}\n`).join(''))
    return new Worker(shell, this.plan, 'again')
  }

  /** The groups that no journal knows. */
  notBegun(): number[] {
    const { starts, ends } = new SlotJournals(this.plan.place.here, null).readOn()
    const begun = new Set([...starts.map(({ index }) => index), ...ends.keys()])
    return Array.from({ length: this.plan.groupCount }, (_, index) => index).filter(index => !begun.has(index))
  }

  /** What cancelling does: SIGTERM. */
  stop(): Promise<number | null> {
    return this.shell.endAfter('SIGTERM')
  }

  /** How a group ended, as far as it is recorded. */
  endOf(index = 0): EndRecord | undefined {
    return new SlotJournals(this.plan.place.here, null).readOn().ends.get(index)
  }

  /** How all groups ended. */
  ends(): (EndRecord | undefined)[] {
    return Array.from({ length: this.plan.groupCount }, (_, index) => this.endOf(index))
  }

  /** The processes of the workers. */
  workers(): readonly ProcessIdentity[] {
    return new SlotJournals(this.plan.place.here, null).readOn().workers(1)
  }

  /** What the keeper and the workers have printed. */
  log(): string {
    return this.read('.run/pool.log') ?? ''
  }
}

/** A pool that has run all groups to their ends. */
export async function ran(...given: ConstructorParameters<typeof Worker>): Promise<Worker> {
  const worker = new Worker(...given)
  await worker.runAll()
  return worker
}

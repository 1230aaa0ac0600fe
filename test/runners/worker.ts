import type { EndRecord } from '../../src/domain/runs/group-record.js'
import { planLines } from '../../src/domain/runs/run-plan.js'
import { SlotJournals } from '../../src/runfolder/evidence/slot-journals.js'
import { recordsFolder } from '../../src/runfolder/layout.js'
import { JobShell } from './job-shell.js'
import { type Facts, RunFolder } from './run-folder.js'

/** A shell that works on the groups of a run in a folder of its own, as a slot of the local runner does. */
export class Worker extends RunFolder {
  readonly shell: JobShell

  /**
   * @param variables those around the worker
   * @param slot where its journal is: another one beside a first has the plan of that
   */
  constructor(shell: string, { variables, ...facts }: Facts & { variables?: NodeJS.ProcessEnv }, slot = 0) {
    super(facts)
    const words = [this.path('.run/job.sh'), 'work', this.path(recordsFolder, `slot_${slot}`), 'n1', '-', '0']
    this.shell = new JobShell(this.plan.projectRoot, shell, words, variables)
  }

  /** Hands it a group, as the plan has it. */
  give(index: number): void {
    this.shell.write(`${index} ${[...planLines(this.plan)][index + 1]}`)
  }

  /** Hands it the first group, and waits until scripts tell of these processes. @returns their ids */
  begin(...processes: string[]): Promise<number[]> {
    this.give(0)
    return this.processes(...processes)
  }

  /** Hands it every group, and returns the exit code with which it has ended. */
  runAll(): Promise<number | null> {
    for (let index = 0; index < this.plan.groupCount; index++) this.give(index)
    return this.shell.end()
  }

  /** What cancelling does: SIGTERM to the shell, and nothing more to run. */
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
}

/** A worker that has run all groups to their ends. */
export async function ran(...given: ConstructorParameters<typeof Worker>): Promise<Worker> {
  const worker = new Worker(...given)
  await worker.runAll()
  return worker
}

import { setTimeout as sleep } from 'node:timers/promises'
import { processesOfRun, type RunOfProcesses } from '../../runfolder/evidence/group-processes.js'
import { type OpenStart, processOf, SlotJournals } from '../../runfolder/evidence/slot-journals.js'
import { isAlive, type Machine, type ProcessIdentity } from '../../system/process-identity.js'
import { endProcesses, type MarkedProcess } from '../../system/processes/marked.js'
import { signalGroup, signalProcess } from '../../system/signals.js'

/** The processes of one attempt of a local run on this machine, according to its journals, which are read incrementally. */
export class RunProcesses {
  private readonly journals: SlotJournals

  /**
   * @param run whose attempt it is
   * @param keeper place of the attempt's keeper
   */
  constructor(
    private readonly run: RunOfProcesses & { readonly attempt: number },
    private readonly keeper: Machine,
  ) {
    this.journals = new SlotJournals(run.place.there, null)
  }

  /**
   * Ends the groups through their workers: SIGTERM, after the grace period SIGKILL for the groups, then for everything.
   * Resolves once all processes have ended. The workers record how their groups ended, after they have ended what has left
   * the groups, for which they take a grace period, too; where a worker is gone, that is done here.
   */
  async stop(grace: number): Promise<void> {
    for (const worker of this.workers()) signalProcess(worker, 'SIGTERM')
    for (const orphan of this.orphans()) signalGroup(orphan.pid, 'SIGTERM')
    if (!(await this.areGone(grace))) {
      this.killGroups()
      if (!(await this.areGone(grace + 2_000))) {
        for (const start of this.groups()) signalGroup(start.pid, 'SIGKILL')
        for (const worker of this.workers()) signalProcess(worker, 'SIGKILL')
        await this.areGone(2_000)
      }
    }
    await endProcesses(() => this.all(), grace)
  }

  /** The processes of all groups, also those that have left the groups' own process groups. */
  private all(): MarkedProcess[] {
    return processesOfRun(this.run).filter(({ attempt }) => attempt === this.run.attempt)
  }

  /** Kills the groups and what has left them. */
  killAll(): void {
    this.killGroups()
    for (const each of this.all()) signalProcess(each, 'SIGKILL')
  }

  /** Kills every running group; the workers stay alive to record the end. */
  killGroups(): void {
    const last = new Map(this.groups().map(start => [start.index, start.pid]))
    for (const pid of last.values()) signalGroup(pid, 'SIGKILL')
  }

  private workers(): ProcessIdentity[] {
    return this.journals.readOn().workers(this.run.attempt).filter(isAlive)
  }

  private groups(): OpenStart[] {
    const starts = this.journals.readOn().starts.filter(({ attempt }) => attempt === this.run.attempt)
    return starts.filter(start => isAlive(processOf(start, this.keeper, this.run.place.there)))
  }

  /** Processes of groups whose worker has died. */
  private orphans(): OpenStart[] {
    return this.groups().filter(({ worker }) => !(worker && isAlive(worker)))
  }

  private async areGone(milliseconds: number): Promise<boolean> {
    const deadline = performance.now() + milliseconds
    while (this.workers().length + this.orphans().length > 0) {
      if (performance.now() >= deadline) return false
      await sleep(20)
    }
    return true
  }
}

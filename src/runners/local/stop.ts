import { setTimeout as sleep } from 'node:timers/promises'
import { type OpenStart, processOf, SlotJournals } from '../../runfolder/evidence/slot-journals.js'
import { isAlive, type Machine, type ProcessIdentity } from '../../system/process-identity.js'
import { signalGroup, signalProcess } from '../../system/signals.js'

/** Milliseconds that a group is given to end by itself after SIGTERM. */
export const gracePeriod = 10_000

/** The processes of one attempt of a local run, according to its journals, which are read incrementally. */
export class RunProcesses {
  private readonly journals: SlotJournals

  /**
   * @param storagePath absolute folder of the run
   * @param supervisor place of the attempt's supervisor
   * @param own shells that are known even if the journals are gone
   */
  constructor(
    private readonly storagePath: string,
    private readonly attempt: number,
    private readonly supervisor: Machine,
    private readonly own: () => readonly ProcessIdentity[] = () => [],
  ) {
    this.journals = new SlotJournals(storagePath, null)
  }

  /**
   * Ends the groups through their shells: SIGTERM, after the grace period SIGKILL for the groups, then for everything.
   * Resolves once all processes have ended. The shells record how their groups ended.
   */
  async stop(grace: number): Promise<void> {
    for (const shell of this.shells()) signalProcess(shell, 'SIGTERM')
    for (const orphan of this.orphans()) signalGroup(orphan.pid, 'SIGTERM')
    if (await this.areGone(grace)) return
    this.killGroups()
    if (await this.areGone(2_000)) return
    for (const start of this.groups()) signalGroup(start.pid, 'SIGKILL')
    for (const shell of this.shells()) signalGroup(shell.pid, 'SIGKILL')
    await this.areGone(2_000)
  }

  /** Kills every running group, or just one; the shells around them stay alive to record the end. */
  killGroups(only: number | null = null): void {
    const last = new Map(this.groups().map(start => [start.index, start]))
    for (const { index, pid } of last.values()) if (only === null || index === only) signalGroup(pid, 'SIGKILL')
  }

  private shells(): ProcessIdentity[] {
    const recorded = this.journals.readOn().workers(attempt => attempt === this.attempt)
    const shells = new Map([...recorded, ...this.own()].map(shell => [shell.pid, shell]))
    return [...shells.values()].filter(isAlive)
  }

  private groups(): OpenStart[] {
    const starts = this.journals.readOn().starts.filter(({ attempt }) => attempt === this.attempt)
    return starts.filter(start => isAlive(processOf(start, this.supervisor, this.storagePath)))
  }

  /** Processes of groups whose shell has died. */
  private orphans(): OpenStart[] {
    return this.groups().filter(({ worker }) => !(worker && isAlive(worker)))
  }

  private async areGone(milliseconds: number): Promise<boolean> {
    const deadline = performance.now() + milliseconds
    while (this.shells().length + this.orphans().length > 0) {
      if (performance.now() >= deadline) return false
      await sleep(20)
    }
    return true
  }
}

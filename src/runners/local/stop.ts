import { setTimeout as sleep } from 'node:timers/promises'
import { processesOfRun, type RunOfProcesses } from '../../runfolder/evidence/group-processes.js'
import { type OpenStart, processOf, SlotJournals } from '../../runfolder/evidence/slot-journals.js'
import { isAlive, type Machine, type ProcessIdentity } from '../../system/process-identity.js'
import { endProcesses, gracePeriod, type MarkedProcess } from '../../system/processes/marked.js'
import { signalGroup, signalProcess } from '../../system/signals.js'

/** The order to end an attempt, one line of JSON on the standard input of a program where its processes are. */
export interface StopOrder extends RunOfProcesses {
  readonly attempt: number
  readonly supervisor: ProcessIdentity
  /** Whether the groups are killed at once. */
  readonly now: boolean
}

/** Ends the groups of an attempt through its supervisor. Resolves once all processes have ended. */
export async function stopAttempt({ supervisor, now, ...run }: StopOrder): Promise<void> {
  const processes = new RunProcesses(run, supervisor)
  if (now) processes.killAll()
  signalProcess(supervisor, 'SIGTERM')
  while (isAlive(supervisor)) await sleep(20)
  // If the supervisor was killed, its groups may still be alive.
  await processes.stop(now ? 0 : gracePeriod)
}

/** The processes of one attempt of a local run on this machine, according to its journals, which are read incrementally. */
export class RunProcesses {
  private readonly journals: SlotJournals

  /**
   * @param run whose attempt it is
   * @param supervisor place of the attempt's supervisor
   * @param own shells that are known even if the journals are gone
   */
  constructor(
    private readonly run: RunOfProcesses & { readonly attempt: number },
    private readonly supervisor: Machine,
    private readonly own: () => readonly ProcessIdentity[] = () => [],
  ) {
    this.journals = new SlotJournals(run.place.there, null)
  }

  /**
   * Ends the groups through their shells: SIGTERM, after the grace period SIGKILL for the groups, then for everything.
   * Resolves once all processes have ended. The shells record how their groups ended, after they have ended what has left
   * the groups, for which they take a grace period, too; where a shell is gone, that is done here.
   */
  async stop(grace: number): Promise<void> {
    for (const shell of this.shells()) signalProcess(shell, 'SIGTERM')
    for (const orphan of this.orphans()) signalGroup(orphan.pid, 'SIGTERM')
    if (!(await this.areGone(grace))) {
      this.killGroups()
      if (!(await this.areGone(grace + 2_000))) {
        for (const start of this.groups()) signalGroup(start.pid, 'SIGKILL')
        for (const shell of this.shells()) signalGroup(shell.pid, 'SIGKILL')
        await this.areGone(2_000)
      }
    }
    await endProcesses(() => this.all(), grace)
  }

  /** The processes of all groups, also those that have left the groups' own process groups. */
  all(): MarkedProcess[] {
    return processesOfRun(this.run).filter(({ attempt }) => attempt === this.run.attempt)
  }

  /** Kills the groups and what has left them. */
  killAll(): void {
    this.killGroups()
    for (const each of this.all()) signalProcess(each, 'SIGKILL')
  }

  /** Kills every running group, or just one; the shells around them stay alive to record the end. */
  killGroups(only: number | null = null): void {
    const last = new Map(this.groups().map(start => [start.index, start]))
    for (const { index, pid } of last.values()) if (only === null || index === only) signalGroup(pid, 'SIGKILL')
  }

  private shells(): ProcessIdentity[] {
    const recorded = this.journals.readOn().workers(attempt => attempt === this.run.attempt)
    const shells = new Map([...recorded, ...this.own()].map(shell => [shell.pid, shell]))
    return [...shells.values()].filter(isAlive)
  }

  private groups(): OpenStart[] {
    const starts = this.journals.readOn().starts.filter(({ attempt }) => attempt === this.run.attempt)
    return starts.filter(start => isAlive(processOf(start, this.supervisor, this.run.place.there)))
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

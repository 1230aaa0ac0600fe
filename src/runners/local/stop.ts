import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, livesSince } from '../../system/process-identity.js'
import { readRecords, type WorkerStart } from './records.js'

/** Milliseconds that a group is given to end by itself after SIGTERM. */
export const gracePeriod = 10_000

/** Sends a signal to a process, or with a negative id to a process group; false where there is none. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}

/**
 * Ends the groups of a run through the shells that run them: SIGTERM, then after the grace period SIGKILL for the
 * groups, then for everything. Resolves once nothing of them lives. The shells record how their groups ended.
 */
export async function stopWorkers(storagePath: string, grace: number): Promise<void> {
  const shells = () => readRecords(storagePath).workers.filter(isAlive)
  const live = () => [...shells(), ...orphans(storagePath)]
  for (const shell of shells()) sendSignal(shell.pid, 'SIGTERM')
  for (const orphan of orphans(storagePath)) sendSignal(-orphan.pid, 'SIGTERM')
  if (await gone(live, grace)) return
  killGroups(storagePath)
  if (await gone(live, 2_000)) return
  for (const start of liveStarts(storagePath).flat()) sendSignal(-start.pid, 'SIGKILL')
  for (const shell of shells()) sendSignal(-shell.pid, 'SIGKILL')
  await gone(live, 2_000)
}

/** Processes of groups that have lost the shell which waited for them. */
function orphans(storagePath: string): WorkerStart[] {
  const starts = liveStarts(storagePath).flat()
  return starts.filter(({ worker, pid, started }) => !(worker && isAlive(worker)) && livesSince(pid, started))
}

/** Ends every group that has started and not ended, at once; the shells around them live on to record it. */
export function killGroups(storagePath: string): void {
  for (const starts of liveStarts(storagePath)) sendSignal(-starts.at(-1)!.pid, 'SIGKILL')
}

function liveStarts(storagePath: string): (readonly WorkerStart[])[] {
  return [...readRecords(storagePath).starts.values()]
}

async function gone(live: () => readonly unknown[], milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds
  while (live().length > 0) {
    if (Date.now() >= deadline) return false
    await sleep(20)
  }
  return true
}

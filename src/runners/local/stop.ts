import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../../system/process-identity.js'
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
 * groups, then for everything. Resolves once none of the shells lives. They record how their groups ended.
 */
export async function stopWorkers(storagePath: string, grace: number): Promise<void> {
  const live = () => readRecords(storagePath).workers.filter(isAlive)
  for (const worker of live()) sendSignal(worker.pid, 'SIGTERM')
  if (await gone(live, grace)) return
  killGroups(storagePath)
  if (await gone(live, 2_000)) return
  for (const start of liveStarts(storagePath).flat()) sendSignal(-start.pid, 'SIGKILL')
  for (const worker of live()) sendSignal(-worker.pid, 'SIGKILL')
  await gone(live, 2_000)
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

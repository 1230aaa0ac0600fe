import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunOfProcesses } from '../../runfolder/evidence/group-processes.js'
import { isAlive, type ProcessIdentity } from '../../system/process-identity.js'
import { gracePeriod } from '../../system/processes/marked.js'
import { signalProcess } from '../../system/signals.js'
import { RunProcesses } from './run-processes.js'

// A program of its own, which ends an attempt where its processes are, and goes on if the command that started it ends.

/** The order to this program, JSON on its standard input. */
export interface StopOrder extends RunOfProcesses {
  readonly attempt: number
  readonly keeper: ProcessIdentity
  /** Whether the groups are killed at once. */
  readonly now: boolean
}

/** Ends the groups of an attempt through its keeper. Resolves once all processes have ended. */
async function stopAttempt({ keeper, now, ...run }: StopOrder): Promise<void> {
  const processes = new RunProcesses(run, keeper)
  if (now) processes.killAll()
  signalProcess(keeper, 'SIGTERM')
  while (isAlive(keeper)) await sleep(20)
  // If the keeper was killed, its groups may still be alive.
  await processes.stop(now ? 0 : gracePeriod)
}

async function obey(order: string): Promise<string> {
  try {
    await stopAttempt(JSON.parse(order) as StopOrder)
    return 'stopped\n'
  } catch (error) {
    return (error as Error).message
  }
}

process.stdout.on('error', () => {})
void text(process.stdin).then(async order => {
  // The command may have been killed before it gave the order.
  if (order !== '') process.stdout.write(await obey(order))
})

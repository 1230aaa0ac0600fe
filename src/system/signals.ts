import { isAlive, type ProcessIdentity } from './process-identity.js'

/** Sends a signal to exactly this process, if it is still alive. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (isAlive(identity)) send(identity.pid, signal)
}

/**
 * Sends a signal to a process group.
 * @param leader id of its first process; the caller has checked that it is ours and lives on this machine
 */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  send(-leader, signal)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has just ended.
  }
}

/** Signals that ask a program to end; closing a terminal sends SIGHUP. */
const endings = ['SIGTERM', 'SIGHUP'] as const

/**
 * Does work to its end although this process is asked to end meanwhile; afterwards the process ends as it was asked to.
 * @param work what it is given is aborted by the first such signal, whose name is the reason
 */
export async function beforeEnding<Result>(work: (ending: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const abort = (signal: NodeJS.Signals) => controller.abort(signal)
  const others = endings.map(signal => ({ signal, listeners: process.listeners(signal) }))
  for (const signal of endings) process.removeAllListeners(signal).on(signal, abort)
  try {
    return await work(controller.signal)
  } finally {
    for (const { signal, listeners } of others) {
      process.off(signal, abort)
      for (const listener of listeners) process.on(signal, listener)
    }
    if (controller.signal.aborted) process.kill(process.pid, controller.signal.reason)
  }
}

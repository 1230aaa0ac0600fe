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

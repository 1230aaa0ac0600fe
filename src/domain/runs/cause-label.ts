import type { GroupStatus } from './run.js'

/** Why a group did not finish, in a word or two: `oom`, `exit 1`, `SIGKILL`; the state of any other. */
export function causeLabel(status: GroupStatus): string {
  if (status.state === 'lost') return status.cause
  if (status.state !== 'failed') return status.state
  if (status.cause === 'exit') return `exit ${status.exitCode}`
  return status.cause === 'signal' && status.signal !== null ? status.signal : status.cause
}

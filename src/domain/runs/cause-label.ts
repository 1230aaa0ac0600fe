import type { GroupState } from './run.js'

/** What is known of an end. */
interface End {
  readonly state: GroupState
  readonly cause?: string | null
  readonly exitCode?: number | null
  readonly signal?: string | null
}

/** Why a group did not finish, in a word or two: `oom`, `exit 1`, `SIGKILL`; the state of any other. */
export function causeLabel({ state, cause, exitCode, signal }: End): string {
  if (state === 'failed' && cause === 'exit') return `exit ${exitCode}`
  if (state === 'failed' && cause === 'signal') return signal ?? cause
  return cause ?? state
}

/** A text that is the same for failures of the same cause whose last lines of stderr differ only in numbers. */
export function failureKey(end: End, lastError: string | null): string {
  // Numbers differ from group to group: sizes, addresses, times.
  return `${causeLabel(end)}\n${lastError?.replace(/0x[0-9a-f]+|\d+(\.\d+)?/gi, '#')}`
}

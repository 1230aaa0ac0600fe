import type { GroupState } from './run.js'

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

/** A bar of tqdm, with the times behind it: `  40%|████      | 4/10 [00:02<00:03,  2.00it/s]`. */
const bar = /\s*\d+%\|[^|]*\|[^\]]*/g

/**
 * A text that is the same for failures of the same cause whose last lines of stderr differ only in numbers and in how far
 * a progress bar had come.
 */
export function failureKey(end: End, lastError: string | null): string {
  // Numbers differ from group to group: sizes, addresses, times.
  return `${causeLabel(end)}\n${lastError?.replace(bar, '%').replace(/0x[0-9a-f]+|\d+(\.\d+)?/gi, '#')}`
}

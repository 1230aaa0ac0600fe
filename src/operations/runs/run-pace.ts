import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { timeLeft } from '../../domain/runs/time-left.js'
import type { Workspace } from '../workspace.js'

/** How long a live run has been under way since its last launch, and will still take, in milliseconds; null if not known. */
export function runPace(
  { store }: Pick<Workspace, 'store'>,
  run: Run,
  now: number,
): { readonly elapsed: number; readonly left: number | null } {
  const { attempts } = store.runs.submission(run.id)
  const elapsed = Math.max(0, now - (attempts.at(-1)?.launched ?? run.launched))
  return { elapsed, left: isOver(run.counts) ? null : timeLeft(run.counts, store.runs.pace(run.id), now) }
}

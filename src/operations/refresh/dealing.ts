import { isDeepStrictEqual } from 'node:util'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Evidence } from '../../domain/runs/judge-run.js'
import { asAsked } from '../../domain/runs/run.js'
import type { Workspace } from '../workspace.js'

/** Stores how the groups of a run are dealt now, if that has changed. Call after its groups were stored, in the same transaction. */
export function storeDealing({ store }: Workspace, id: number, evidence: Evidence): void {
  const { counts, dealing, runnerParameters } = store.runs.get(id)
  const { slots, hasNoWorker } = evidence.dealing ?? dealing
  const isAsked = slots === (runnerParameters.slots ?? 1)
  const now = isOver(counts)
    ? asAsked
    : { slots: isAsked ? null : slots, hasNoWorker: hasNoWorker && counts.pending > 0 }
  if (!isDeepStrictEqual(now, dealing)) store.runs.setDealing(id, now)
}

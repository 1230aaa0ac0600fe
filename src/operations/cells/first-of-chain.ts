import type { Run } from '../../domain/runs/run.js'
import type { Workspace } from '../workspace.js'

/** The id of the run that a run repeats, directly or through other reruns; its own if it repeats none. */
export function firstOfChain({ store }: Pick<Workspace, 'store'>, run: Run): number {
  if (run.rerunOf === null) return run.id
  const repeated = store.runs.find(run.rerunOf)
  return repeated === null ? run.rerunOf : firstOfChain({ store }, repeated)
}

import type { RunSource } from '../../domain/made-from.js'
import type { Run } from '../../domain/runs/run.js'
import type { Workspace } from '../workspace.js'

/** What files that are made of runs say of these. */
export function sourcesOf({ store }: Workspace, runs: readonly Run[]): RunSource[] {
  return runs.map(({ id, commit, dirty, codeUsed }) => ({
    ...{ id, token: store.runs.submission(id).token, commit, dirty, code_used: codeUsed },
    environments: [...new Set(store.environments.of(id).map(({ hash }) => hash))],
  }))
}

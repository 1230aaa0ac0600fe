import type { RunSource } from '../../domain/made-from.js'
import type { Run } from '../../domain/runs/run.js'
import { findEnvironments } from '../environments/run-environments.js'
import type { Workspace } from '../workspace.js'

/** What files that are made of runs say of these. */
export async function sourcesOf(workspace: Workspace, runs: readonly Run[]): Promise<RunSource[]> {
  const { store } = workspace
  await findEnvironments(workspace, runs)
  return runs.map(({ id, commit, dirty, codeUsed }) => ({
    ...{ id, token: store.runs.submission(id).token, commit, dirty, code_used: codeUsed },
    environments: [...new Set(store.environments.of(id).map(({ hash }) => hash))],
    data: store.data.of(id).map(({ name, level, digest }) => ({ name, level, digest })),
  }))
}

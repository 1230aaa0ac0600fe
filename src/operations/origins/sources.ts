import { unknownParts } from '../../domain/environments/environment.js'
import type { RunSource } from '../../domain/made-from.js'
import type { Run } from '../../domain/runs/run.js'
import { findEnvironments } from '../environments/run-environments.js'
import type { Workspace } from '../workspace.js'

/** What a file that is made of runs, such as a plot, records about them. */
export async function sourcesOf(workspace: Workspace, runs: readonly Run[]): Promise<RunSource[]> {
  const { store } = workspace
  await findEnvironments(workspace, runs)
  return runs.map(({ id, commit, dirty, codeUsed }) => ({
    ...{ id, token: store.runs.token(id), commit, dirty, code_used: codeUsed },
    environments: [...new Set(store.environments.of(id).map(({ hash }) => hash))].map(hash => ({
      hash,
      unknown: unknownParts(store.environments.get(hash)),
    })),
    data: store.data.of(id).map(({ name, level, digest }) => ({ name, level, digest })),
  }))
}

/**
 * The same with only the environment that a group had in its last attempt on its host, if the run had several; with none if
 * that one is not recorded.
 * @param group null for the whole run
 */
export function sourceOfGroup({ store }: Workspace, source: RunSource, group: number | null): RunSource {
  if (group === null || source.environments.length < 2) return source
  const { attempt = 1, status = null } = store.refreshes.group(source.id, group) ?? {}
  const there = store.environments.of(source.id).filter(place => place.attempt === attempt)
  const own = there.filter(({ host }) => status !== null && 'host' in status && status.host === host)
  const hashes = (own.length > 0 ? own : there).map(({ hash }) => hash)
  return { ...source, environments: source.environments.filter(({ hash }) => hashes.includes(hash)) }
}

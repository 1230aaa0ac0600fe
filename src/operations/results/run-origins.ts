import type { GridColumn } from '../../domain/parameters/group-parameters.js'
import { originNames } from '../../domain/results/comparison/columns.js'
import { lastAttempts } from '../../domain/runs/launch.js'
import type { Run } from '../../domain/runs/run.js'
import { codeNames } from '../code/code-names.js'
import { dataNames } from '../data/data-names.js'
import { environmentNames } from '../environments/environment-names.js'
import { programNames } from '../registry/launched-experiment.js'
import type { Workspace } from '../workspace.js'

/** The code, the program, the environments and the data of a run, as far as they differ between the runs. */
interface RunOrigin {
  readonly commit: string | undefined
  readonly executable: string | undefined
  readonly dataset: string | undefined
  /** By the attempt. */
  readonly environments: ReadonlyMap<number, string>
}

/** By the id of the run; empty if nothing differs. */
export type Origins = ReadonlyMap<number, RunOrigin>

/** The parts of an origin that are asked for: they make rows, so that groups with others speak for themselves. */
export function apartIn({ by, over }: Readonly<Record<'by' | 'over', readonly string[] | null>>): string[] {
  return originNames.filter(name => by?.includes(name) || over?.includes(name))
}

/** The origins of runs, and a sentence for each case in which data count as the same but may differ. */
export async function originsOf(
  workspace: Workspace,
  runs: readonly Run[],
): Promise<{ origins: Origins; doubts: readonly string[] }> {
  const commits = await codeNames(workspace, runs)
  const executables = programNames(workspace, runs)
  // Names say what differs between results; a failed trial with another interpreter differs in hundreds of packages.
  const withResults = runs.filter(({ counts }) => counts.finished > 0)
  const environments = environmentNames(workspace, withResults)
  const { names: data, doubts } = dataNames(workspace, runs)
  if ([commits, executables, environments, data].every(({ size }) => size === 0)) return { origins: new Map(), doubts }
  const origins = runs.map(({ id }): [number, RunOrigin] => {
    const names = { commit: commits.get(id), executable: executables.get(id), dataset: data.get(id) }
    return [id, { ...names, environments: environments.get(id) ?? new Map() }]
  })
  return { origins: new Map(origins), doubts }
}

/**
 * The parameters that stand for the origin of a group, whose last attempt tells its environment; null if it has none.
 */
export function originAt({ store }: Workspace, run: number, origins: Origins) {
  const origin = origins.get(run)
  if (!origin) return null
  const { commit, executable, dataset, environments } = origin
  const named = (environment?: string) => known({ commit, executable, environment, dataset })
  const byAttempt = new Map([...environments].map(([attempt, name]) => [attempt, named(name)]))
  const others = named()
  if (byAttempt.size === 0) return () => others
  const attemptOf = lastAttempts(store.attempts.of(run))
  return (index: number) => byAttempt.get(attemptOf(index)) ?? others
}

/** The same as columns. @param names those that are wanted @param groups how many the run has */
export function originColumns(
  workspace: Workspace,
  run: number,
  origins: Origins,
  names: readonly string[],
  groups: number,
): GridColumn[] {
  const originOf = originAt(workspace, run, origins)
  if (!originOf) return []
  const isOne = origins.get(run)!.environments.size === 0
  const known = Array.from({ length: isOne ? 1 : groups }, (_, index) => originOf(index))
  const all = names.map(name => ({ name, stride: 1, values: known.map(each => each[name]) }))
  return all.filter(({ values }) => values.some(value => value !== undefined))
}

function known(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

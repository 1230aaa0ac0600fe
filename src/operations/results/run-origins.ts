import type { AreApart } from '../../domain/parameters/same-value.js'
import { compareGroups, type GroupResult, originNames } from '../../domain/results/compare.js'
import { findParameter, plain } from '../../domain/results/named.js'
import type { NotCounted } from '../../domain/results/reruns.js'
import { lastAttempts } from '../../domain/runs/launch.js'
import type { Run } from '../../domain/runs/run.js'
import { fewInSentence } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
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

/** The parts of an origin by which a comparison has rows, so that a run and its rerun both count where these differ. */
export function apartIn({ by, over }: Readonly<Record<'by' | 'over', readonly string[] | null>>): string[] {
  return originNames.filter(name => (by === null || by.includes(name)) && !over?.includes(name))
}

/** The same text for the same origins, as far as these parts are looked at. */
export function originText(origin: RunOrigin | undefined, names: readonly string[]): string {
  if (!origin) return ''
  const parts = { ...origin, environment: [...origin.environments.values()] }
  return JSON.stringify(names.map(name => parts[name as keyof typeof parts] ?? null))
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

function known(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/**
 * Refuses to average over what differs only from groups that do not count, since they were launched again.
 * @param by the parameters that make a row; null for all that vary
 * @throws UserError
 */
export async function refuseUncounted(
  workspace: Workspace,
  chosen: readonly Run[],
  {
    groups,
    left,
    areApart,
  }: { readonly groups: readonly GroupResult[]; readonly left: NotCounted; readonly areApart: AreApart },
  { by, over }: Readonly<Record<'by' | 'over', readonly string[] | null>>,
): Promise<void> {
  if (over === null || left.size === 0 || !over.some(name => originNames.includes(name))) return
  const { by: varying } = compareGroups(groups, { by: null, over: [], repeats: false }, areApart)
  const { origins } = await originsOf(workspace, chosen)
  const differs = (name: string) => new Set(chosen.map(({ id }) => originText(origins.get(id), [name]))).size > 1
  const lost = over.find(name => originNames.includes(name) && !varying.includes(name) && differs(name))
  if (lost === undefined) return
  const rows = by ?? varying.filter(name => findParameter(name, over) === undefined)
  const ids = fewInSentence([...left.keys()].map(String))
  throw new UserError(
    `--over ${lost}: it is the same for all groups that count. Groups of run${left.size === 1 ? '' : 's'} ${ids} do not, ` +
      'since a run and its rerun do not count twice',
    `write --by ${[...rows.map(plain), lost].join(',')} instead to see both`,
  )
}

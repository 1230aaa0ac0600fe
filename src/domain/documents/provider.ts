import { totalOf } from '../runs/aggregate.js'
import type { Run } from '../runs/run.js'
import { groupFolder } from '../runs/run-plan.js'

/** A group that speaks for a cell. */
interface SpeakingGroup {
  readonly run: Run
  readonly index: number
  /** Why it has not finished, where a document does without it; not there for others. */
  readonly cause?: string
}

/** What provides the files of a dependency: a run, or groups of several. */
export interface Provider {
  /** The oldest first; of several, each has a group that speaks for a cell. */
  readonly runs: readonly Run[]
  /** For each group of the parameters; null if they are the groups of the only run. */
  readonly groups: readonly SpeakingGroup[] | null
}

/** Those of several runs that have not finished, as `2.1 (oom)`, each once. */
export function holesOf({ groups }: Provider): string[] {
  const holes = (groups ?? []).flatMap(({ run, index, cause }) =>
    cause === undefined ? [] : `${run.id}.${index} (${cause})`,
  )
  return [...new Set(holes)]
}

/** The same without them: what is made of the others alone. */
export function withoutHoles({ runs, groups }: Provider): Provider {
  return { runs, groups: groups?.filter(({ cause }) => cause === undefined) ?? null }
}

/** All of one run. */
export function oneRun(run: Run): Provider {
  return { runs: [run], groups: null }
}

/** The newest run. */
export function newestOf({ runs }: Provider): Run {
  return runs.at(-1)!
}

/** A file where it lies: its run, and its path in the folder of that. */
interface FileOfRun {
  readonly run: Run
  readonly file: string
}

/** Where a file of a dependency lies; null for one of a whole run where there are groups of several. */
export function placeOfFile({ runs, groups }: Provider, file: string): FileOfRun | null {
  if (groups === null) return { run: runs[0]!, file }
  const [, number, path] = /^group_(\d+)\/(.*)$/s.exec(file) ?? []
  const group = groups[Number(number)]
  if (group === undefined) return null
  const { run, index } = group
  return { run, file: `${groupFolder('.', totalOf(run.counts), index)}/${path}`.slice(2) }
}

/** A run, or one of its groups. */
interface Target {
  readonly run: Run
  /** Null for the run as a whole. */
  readonly group: number | null
}

/** The runs and groups of which an action or a command makes something. */
export function targetsOf({ runs, groups }: Provider): Target[] {
  if (groups === null) return [{ run: runs[0]!, group: null }]
  return runs.flatMap((run): Target[] => {
    const indices = [...new Set(groups.filter(group => group.run.id === run.id).map(({ index }) => index))]
    if (indices.length === totalOf(run.counts)) return [{ run, group: null }]
    return indices.sort((one, other) => one - other).map(group => ({ run, group }))
  })
}

/** The same as words of a command: `4`, `7.3`. */
export function wordsOf(provider: Provider): string[] {
  return targetsOf(provider).map(({ run, group }) => (group === null ? String(run.id) : `${run.id}.${group}`))
}

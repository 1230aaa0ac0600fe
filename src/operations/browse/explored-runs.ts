import { setImmediate as breathe } from 'node:timers/promises'
import type { ParameterGrid } from '../../domain/parameters/grid.js'
import { hasParameter } from '../../domain/parameters/parameter-filter.js'
import type { ListedRun } from '../../domain/results/best.js'
import { type FilterLine, type LineFields, readFilterLine } from '../../domain/runs/filter-line.js'
import { groupStates, type Run } from '../../domain/runs/run.js'
import { hasWord, sorted, sortNames } from '../../domain/runs/run-filter.js'
import { UserError } from '../../errors.js'
import { findExperiment } from '../registry/find-experiment.js'
import { listing, readingTime } from '../results/best-metrics.js'
import { textOfRun } from '../runs/comment-run.js'
import type { Workspace } from '../workspace.js'

/** Rows between two moments in which other things, such as keys, are seen to. */
const atOnce = 200
/** How long metrics that are new are read between two such moments, in milliseconds. */
const readingTimeAtOnce = 30

interface RunRow {
  readonly run: ListedRun
  readonly grid: () => ParameterGrid
}

/**
 * Reads the filter line of a list of runs.
 * @param textOf what the list shows of a run
 * @throws UserError that names the word that is not understood
 */
export function readRunLine(
  workspace: Workspace,
  experiment: string,
  text: string,
  textOf: (run: ListedRun) => string,
): FilterLine<RunRow> {
  const metrics = Object.keys(findExperiment(workspace, experiment).results.best)
  return readFilterLine(text, {
    ...fields,
    ...{ metrics, text: ({ run }) => `${textOf(run)}\n${textOfRun(workspace, run)}` },
    parameter:
      (option, value) =>
      ({ grid }) =>
        hasParameter(grid(), [{ names: option === null ? null : [option], value }]),
  })
}

const fields: Omit<LineFields<RunRow>, 'metrics' | 'text' | 'parameter'> = {
  fields: {
    status(value) {
      const wanted = oneOf('status', value, groupStates)
      return ({ run }) => run.status === wanted
    },
    runner: fitting((run, value) => run.runner === value),
    context: fitting((run, value) => run.site === value),
    commit: fitting((run, value) => run.commit.startsWith(value)),
    tag: fitting((run, value) => run.tags.includes(value)),
    description: fitting((run, value) => hasWord(run.description, value)),
  },
  metric:
    ({ metric, isMet }) =>
    ({ run }) =>
      run.best?.some(best => best.metric === metric && isMet(best.value)) ?? false,
  sortings: sortNames,
}

function fitting(fits: (run: ListedRun, value: string) => boolean) {
  return (value: string) =>
    ({ run }: RunRow) =>
      fits(run, value)
}

/** @param words that there are for a name in a filter line @throws UserError for another one */
export function oneOf<Word extends string>(name: string, word: string, words: readonly Word[]): Word {
  const known = words.find(each => each === word)
  if (known !== undefined) return known
  throw new UserError(`${name}:${word}: unknown ${name}`, `use one of ${words.join(', ')}`)
}

/** The ids of the runs of an experiment that a filter line keeps, in its order; without one, no other column is read. */
export async function exploredRuns(
  workspace: Workspace,
  experiment: string,
  { keeps, keepsAll, measures, sort }: FilterLine<RunRow>,
): Promise<readonly number[]> {
  const { store } = workspace
  const ids = store.pages.runIds(experiment)
  if (keepsAll && sort === null) return ids
  const until = Date.now() + readingTime
  const kept: ListedRun[] = []
  for (let first = 0; first < ids.length; first += atOnce) {
    const part = ids.slice(first, first + atOnce)
    const byId = new Map(store.pages.runsCalled(part).map(run => [run.id, run]))
    const some = part.flatMap(id => byId.get(id) ?? [])
    const time = Math.max(0, Math.min(readingTimeAtOnce, until - Date.now()))
    const runs = measures ? (await listing(workspace, some, time)).runs : knownBest(workspace, some)
    kept.push(...runs.filter(run => keeps({ run, grid: () => store.runs.grid(run.id) })))
    await breathe()
  }
  return (sort === null ? kept : sorted(kept, sort)).map(({ id }) => id)
}

/** Runs with the best metrics that have been read already; no file is opened. */
export function knownBest({ store }: Workspace, runs: readonly Run[]): ListedRun[] {
  const first = runs[0]
  const results = first && store.experiments.find(first.experiment)?.results
  if (results === undefined || Object.keys(results.best).length === 0) return runs.map(run => ({ ...run, best: [] }))
  const ids = runs.map(({ id }) => id)
  const known = store.readings.best(ids, results)
  return runs.map(run => ({ ...run, best: known.get(run.id) ?? (run.counts.finished > 0 ? null : []) }))
}

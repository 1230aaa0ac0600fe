import { totalOf } from '../../domain/runs/aggregate.js'
import { groupSortNames } from '../../domain/runs/group-filter.js'
import { endCauses, groupStates, type Run, unfinishedEnds } from '../../domain/runs/run.js'
import { sortNames } from '../../domain/runs/run-filter.js'
import { isRunWord, LATEST } from '../../domain/runs/run-ids.js'
import { findProject } from '../../project/find-project.js'
import { Store } from '../../store/store.js'
import { moment } from '../../views/format/times.js'

/** A word that could stand where the cursor is. */
export interface Candidate {
  readonly value: string
  readonly description: string
}

/** Values that are already on the line, by the names of options and arguments; a flag has none. */
export type Given = Readonly<Record<string, readonly string[]>>

/** What a lookup works with. */
interface Sources {
  /** Opened at the first use. @throws if there is none that can be read */
  readonly store: Store
  readonly given: Given
  /** The part of the word that has been typed. */
  readonly typed: string
}

type Found = readonly (string | Candidate)[]
type Lookup = (sources: Sources) => Found | Promise<Found>

/** At most this many groups are shown at once. */
const SHOWN_GROUPS = 100

export const lookups = {
  actions: ({ store, given }) =>
    store.experiments
      .find(given.name?.[0] ?? '')!
      .actions.map(({ name, description }) => ({ value: name, description })),
  axes: async ({ store, given }) => [...(await parameterNames(store, given)), ...metricNames(store, given)],
  best_metrics: ({ store, given }) => bestMetrics(store, given),
  causes: ({ typed }) => listed(endCauses, typed),
  comparison_sortings: async ({ store, given }) =>
    bothOrders(['time', ...(await parameterNames(store, given)), ...metricNames(store, given)]),
  commits: ({ store }) => firstOfEach(store.runs.list(), run => run.commit.slice(0, 12)),
  datasets: ({ store }) => store.datasets.list().map(({ name, description }) => ({ value: name, description })),
  documents: ({ store }) => store.documents.list().map(({ name, description }) => ({ value: name, description })),
  ends: ({ typed }) => listed(unfinishedEnds, typed),
  experiments: ({ store }) => experimentsOf(store),
  experiments_or_groups: ({ store, given, typed }) => {
    const [id, group] = typed.split('.', 2)
    return group === undefined ? orRuns(store, given, typed) : groupsOf(store, Number(id), group, `${id}.`)
  },
  experiments_or_live_runs: ({ store, given, typed }) => orRuns(store, given, typed, run => run.finished === null),
  experiments_or_runs: ({ store, given, typed }) => orRuns(store, given, typed),
  files: () => [],
  folders: () => [],
  group_sortings: async ({ store, given }) =>
    bothOrders([...groupSortNames, ...(await parameterNames(store, given)), ...metricNames(store, given)]),
  groups: ({ store, given, typed }) => groupsOf(store, givenRun(store, given)!.id, typed, ''),
  hosts: ({ store, typed }) => listed(store.pages.hosts(), typed),
  live_runs: ({ store, given }) =>
    runsOf(store, given)
      .filter(run => run.finished === null)
      .map(described),
  metrics: ({ store, given, typed }) => listed(metricNames(store, given), typed),
  parameters: async ({ store, given, typed }) => listed(await parameterNames(store, given), typed),
  runners: async () => (await import('../../runners/index.js')).runnerNames,
  more_runs: ({ store, given }) =>
    'undo' in given ? deletedRuns(store, given) : moreRuns(store, given).map(described),
  runs: ({ store, given }) => runsOf(store, given).map(described),
  runs_or_groups: ({ store, given, typed }) => {
    const [id, group] = typed.split('.', 2)
    return group === undefined ? runsOf(store, given).map(described) : groupsOf(store, Number(id), group, `${id}.`)
  },
  runs_or_tag_changes: ({ store, given }) =>
    isRunWord(given.name![0]!) ? tagChanges(store, given) : runsOf(store, given).map(described),
  settings: async () => (await import('../../project/config-edit.js')).settingKeys(await configured()),
  sortings: ({ store, given }) => bothOrders([...sortNames, ...bestMetrics(store, given)]),
  statuses: ({ typed }) => listed(groupStates, typed),
  tag_changes: ({ store, given }) => tagChanges(store, given),
  tags: ({ store }) => store.runs.tags(),
  templates: async sources => {
    const { loadConfig } = await import('../../project/config.js')
    const templates = loadConfig(await configured()).config.templates()
    return Object.keys(templates[runnerOf(sources)] ?? {})
  },
} satisfies Readonly<Record<string, Lookup>>

/** The project of the current folder, with the runners whose settings it may have. */
async function configured() {
  const { runnerNames } = await import('../../runners/index.js')
  return findProject(process.cwd(), runnerNames)
}

/** A kind of value of an option or an argument; `files` and `folders` are completed by the shell. */
export type Kind = keyof typeof lookups

/** All candidates of that kind. @throws any error, as outside of a project */
export async function lookUp(kind: Kind, given: Given, typed: string): Promise<Candidate[]> {
  let store: Store | null = null
  const sources = {
    get store() {
      store ??= Store.openForReading(findProject(process.cwd(), []).databaseFile)
      return store
    },
    given,
    typed,
  }
  try {
    const found = await (lookups[kind] as Lookup)(sources)
    return found.map(each => (typeof each === 'string' ? { value: each, description: '' } : each))
  } finally {
    ;(store as Store | null)?.close()
  }
}

/** The runner on the line, or that of the run to retry. */
function runnerOf(sources: Sources): string {
  const { runner, name } = sources.given
  return runner?.at(-1) ?? (name && givenRun(sources.store, sources.given)?.runner) ?? 'local'
}

function experimentsOf(store: Store): Candidate[] {
  return store.experiments
    .list()
    .map(({ experiment }) => ({ value: experiment.name, description: experiment.description }))
}

/** Experiments, and runs where a digit was typed: ids would hide the names. */
function orRuns(store: Store, given: Given, typed: string, isWanted: (run: Run) => boolean = () => true): Found {
  if ('undo' in given) return deletedRuns(store, given)
  return [...experimentsOf(store), ...(/^\d/.test(typed) ? store.runs.list().filter(isWanted).map(described) : [])]
}

function tagChanges(store: Store, given: Given): string[] {
  return [...store.runs.tags().map(tag => `+${tag}`), ...(givenRun(store, given)?.tags ?? []).map(tag => `-${tag}`)]
}

/** The run on the line, which may be written without its experiment; null if there is none. */
function givenRun(store: Store, { name = [], run = [] }: Given): Run | null {
  const word = [...run, ...name].find(isRunWord) ?? ''
  return LATEST.test(word)
    ? store.runs.last(run.length > 0 ? name[0]! : null)
    : store.runs.find(Number.parseInt(word, 10))
}

/** Runs of the named experiment that are not on the line yet, the newest first. */
function runsOf(store: Store, { name = [], run = [], runs = [] }: Given): Run[] {
  return store.runs.listOf(name[0] ?? '').filter(({ id }) => ![...run, ...runs].includes(String(id)))
}

/** The same, and after a run without an experiment the other runs of its experiment. */
function moreRuns(store: Store, given: Given): Run[] {
  const { name = [], runs = [] } = given
  const first = store.experiments.find(name[0]!) === null ? givenRun(store, { name }) : null
  return runsOf(store, first === null ? given : { name: [first.experiment], runs: [...name, ...runs] })
}

function described(run: Run): Candidate {
  const finished = `${run.counts.finished}/${totalOf(run.counts)}`
  const facts = [`${run.status} ${finished}`, moment(run.launched), run.tags.join(', '), run.description]
  return { value: String(run.id), description: facts.filter(fact => fact !== '').join(' · ') }
}

function deletedRuns(store: Store, given: Given): string[] {
  const [name] = given.name ?? []
  const deleted = store.runs.deleted().filter(({ experiment }) => name === undefined || experiment === name)
  return deleted.map(({ id }) => String(id)).reverse()
}

/** Groups of a run whose number begins with what was typed. */
function groupsOf(store: Store, id: number, typed: string, prefix: string): Candidate[] {
  const numbers: number[] = []
  const total = totalOf(store.runs.get(id).counts)
  for (let index = 0; index < total && numbers.length < SHOWN_GROUPS; index++) {
    if (String(index).startsWith(typed)) numbers.push(index)
  }
  const states = new Map(store.runs.groups(id).map(({ index, status }) => [index, status.state]))
  return numbers.map(index => ({ value: `${prefix}${index}`, description: states.get(index) ?? 'pending' }))
}

/** The metrics that the named experiment declares as `best`; without a name, those of all experiments. */
function bestMetrics(store: Store, { name }: Given): string[] {
  const all = store.experiments.list().map(({ experiment }) => experiment)
  const wanted = name === undefined ? all : all.filter(experiment => experiment.name === name[0])
  return [...new Set(wanted.flatMap(({ results }) => Object.keys(results.best)))]
}

/** How many of the newest runs, and how many of their groups, are searched for names of parameters and metrics. */
const [namingRuns, namingGroups] = [5, 20]

/** The metrics of the named experiment that have been read. */
function metricNames(store: Store, given: Given): string[] {
  const metrics = runsOf(store, given)
    .slice(0, namingRuns)
    .flatMap(({ id }) => [...store.readings.ended(id, 0, namingGroups).metrics])
  return [...new Set(metrics.flatMap(each => Object.keys(each)))]
}

/** The parameters of the named experiment, without the dashes of options. */
async function parameterNames(store: Store, given: Given): Promise<string[]> {
  const { gridParameters } = await import('../../domain/parameters/group-parameters.js')
  const grids = runsOf(store, given)
    .slice(0, namingRuns)
    .map(({ id }) => gridParameters(store.runs.grid(id), namingGroups) ?? [])
  return [...new Set(grids.flat().map(({ name }) => name.replace(/^-+/, '')))]
}

function bothOrders(names: readonly string[]): string[] {
  return names.flatMap(name => [name, `-${name}`])
}

/** Completes the last item of a comma-separated list. */
function listed(words: readonly string[], typed: string): string[] {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1)
  return words.filter(word => !before.split(',').includes(word)).map(word => `${before}${word}`)
}

function firstOfEach(runs: readonly Run[], nameOf: (run: Run) => string): Candidate[] {
  const first = new Map<string, Candidate>()
  for (const run of runs) {
    const value = nameOf(run)
    if (!first.has(value)) first.set(value, { value, description: `run ${run.id} of ${run.experiment}` })
  }
  return [...first.values()]
}

import type { Experiment } from '../../domain/experiment.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import { groupSortNames } from '../../domain/runs/group-filter.js'
import { endCauses, groupStates, type Run, unfinishedEnds } from '../../domain/runs/run.js'
import { sortNames } from '../../domain/runs/run-filter.js'
import { isRunWord, LATEST } from '../../domain/runs/run-ids.js'
import { NotAProjectError } from '../../errors.js'
import { findProject } from '../../project/find-project.js'
import type { Store } from '../../store/store.js'
import { moment } from '../../views/format/times.js'
import { openForLookUp } from './open.js'

/** A word that could stand where the cursor is. */
export interface Candidate {
  readonly value: string
  readonly description: string
}

/** Values that are already on the line, by the names of options and arguments; a flag has none. */
export type Given = Readonly<Record<string, readonly string[]>>

interface Sources {
  /** Opened at the first use. @throws if there is none that can be read */
  readonly store: Store
  readonly given: Given
  /** The part of the word that has been typed. */
  readonly typed: string
}

type Found = readonly (string | Candidate)[]
type Lookup = (sources: Sources) => Found | Promise<Found>

const SHOWN_GROUPS = 100

export const lookups = {
  actions_or_experiments: ({ store }) => [
    ...experimentsIn(store).flatMap(({ actions }) => actions.map(named)),
    ...experimentsOf(store),
  ],
  actions_or_runs: ({ store, given }) => {
    const [word] = given.name!
    const experiment = store.experiments.find(word!)
    if (experiment) return experiment.actions.map(named)
    const able = experimentsIn(store).filter(({ actions }) => actions.some(({ name }) => name === word))
    return [...runsOfAny(store, able), ...able.map(named)]
  },
  all_runs: ({ store }) => store.runs.list().map(described),
  axes: async ({ store, given, typed }) => [
    ...spelled(await parameterNames(store, given), typed),
    ...metricNames(store, given),
  ],
  best_metrics: ({ store, given }) => bestMetrics(store, given),
  causes: ({ typed }) => listed(endCauses, typed),
  comparison_sortings: async ({ store, given }) =>
    bothOrders(['time', ...spelled(await parameterNames(store, given)), ...metricNames(store, given)]),
  commits: ({ store }) =>
    store.runs
      .list()
      .map(({ id, experiment, commit }) => ({ value: commit.slice(0, 12), description: `run ${id} of ${experiment}` })),
  contexts: async () => {
    const { contextNames } = await import('../../project/contexts/contexts.js')
    return contextNames(await configured())
  },
  dataset_runs: ({ store, given: { name, run = [] } }) => {
    const readers = experimentsIn(store).filter(({ datasets }) => datasets.includes(name![0]!))
    return runsOfAny(store, readers).filter(({ value }) => !run.includes(value))
  },
  datasets: ({ store }) => store.datasets.list().map(named),
  deleted_runs: ({ store, given: { runs = [] } }) =>
    store.runs
      .deleted()
      .map(({ id }) => String(id))
      .reverse()
      .filter(id => !runs.includes(id)),
  documents: ({ store }) => store.documents.list().map(named),
  ends: ({ typed }) => listed(unfinishedEnds, typed),
  experiments: ({ store }) => experimentsOf(store),
  experiments_or_groups: ({ store, typed }) => {
    const [id, group] = typed.split('.', 2)
    return group === undefined ? orRuns(store, typed) : groupsOf(store, Number(id), group, `${id}.`)
  },
  experiments_or_live_runs: ({ store, typed }) => orRuns(store, typed, run => run.finished === null),
  experiments_or_runs: ({ store, typed }) => orRuns(store, typed),
  files: () => [],
  folders: () => [],
  group_sortings: async ({ store, given }) =>
    bothOrders([...groupSortNames, ...spelled(await parameterNames(store, given)), ...metricNames(store, given)]),
  groups: ({ store, given, typed }) => groupsOf(store, givenRun(store, given)!.id, typed, ''),
  hosts: ({ store, typed }) => listed(store.pages.hosts(), typed),
  live_runs: ({ store, given }) =>
    runsOf(store, given)
      .filter(run => run.finished === null)
      .map(described),
  metrics: ({ store, given, typed }) => listed(metricNames(store, given), typed),
  parameter_values: async ({ store, given, typed }) => {
    const all = (await parametersOf(store, given)).flatMap(({ name, values }) =>
      values.map(value => `${name}:${value}`),
    )
    return spelled(all, typed).slice(0, SHOWN_GROUPS)
  },
  parameters: async ({ store, given, typed }) => {
    const item = typed.slice(typed.lastIndexOf(',') + 1)
    return listed(spelled(await parameterNames(store, given), item), typed)
  },
  runners: async () => (await import('../../runners/index.js')).runnerNames,
  more_runs: ({ store, given }) => moreRuns(store, given).map(described),
  runs: ({ store, given }) => runsOf(store, given).map(described),
  runs_or_groups: ({ store, given, typed }) => {
    const [id, group] = typed.split('.', 2)
    return group === undefined ? runsOf(store, given).map(described) : groupsOf(store, Number(id), group, `${id}.`)
  },
  runs_or_tag_changes: ({ store, given }) =>
    isRunWord(given.name![0]!) ? tagChanges(store, given) : runsOf(store, given).map(described),
  settings: async () => (await import('../../project/config-edit.js')).settingKeys(await configured()),
  script_arguments: async ({ store, given, typed }) => {
    const settings = (name: string, values: readonly string[]) =>
      /^pos_\d+$/.test(name) ? [] : values.map(value => `${name}=${value}`)
    // Where nothing is typed, options would hide the files that the shell adds.
    const options = (name: string) => (typed.startsWith('-') ? [name] : [])
    return (await parametersOf(store, given)).flatMap(({ name, values }) =>
      name.startsWith('-') ? options(name) : settings(name, values),
    )
  },
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

/** All candidates of that kind, each value once. @throws any error, as outside of a project */
export async function lookUp(kind: Kind, given: Given, typed: string): Promise<Candidate[]> {
  const opened = await openForLookUp()
  const sources = {
    get store() {
      if (opened === null) throw new NotAProjectError()
      return opened
    },
    given,
    typed,
  }
  try {
    const found = await (lookups[kind] as Lookup)(sources)
    const candidates = found.map(each => (typeof each === 'string' ? { value: each, description: '' } : each))
    const first = new Map<string, Candidate>()
    for (const each of candidates) if (!first.has(each.value)) first.set(each.value, each)
    return [...first.values()]
  } finally {
    opened?.close()
  }
}

/** The runner on the line, or that of the run to retry. */
function runnerOf(sources: Sources): string {
  const { runner, name } = sources.given
  return runner?.at(-1) ?? (name && givenRun(sources.store, sources.given)?.runner) ?? 'local'
}

function experimentsIn(store: Store): Experiment[] {
  return store.experiments.list().map(({ experiment }) => experiment)
}

function experimentsOf(store: Store): Candidate[] {
  return experimentsIn(store).map(named)
}

function named({ name, description }: { readonly name: string; readonly description: string }): Candidate {
  return { value: name, description }
}

function runsOfAny(store: Store, experiments: readonly Experiment[]): Candidate[] {
  const names = new Set(experiments.map(({ name }) => name))
  return store.runs
    .list()
    .filter(({ experiment }) => names.has(experiment))
    .map(described)
}

/** Experiments, and runs where a digit was typed: ids would hide the names. */
function orRuns(store: Store, typed: string, isWanted: (run: Run) => boolean = () => true): Found {
  return [...experimentsOf(store), ...(/^\d/.test(typed) ? store.runs.list().filter(isWanted).map(described) : [])]
}

function tagChanges(store: Store, given: Given): string[] {
  return [...store.runs.tags().map(tag => `+${tag}`), ...(givenRun(store, given)?.tags ?? []).map(tag => `-${tag}`)]
}

/** The run on the line, which may be written without its experiment; null if there is none. */
function givenRun(store: Store, given: Given): Run | null {
  const { name = [], action = [], run = [] } = given
  const word = [...run, ...action, ...name].find(isRunWord) ?? ''
  return LATEST.test(word) ? store.runs.last(givenExperiment(store, given)) : store.runs.find(Number.parseInt(word, 10))
}

/** The experiment on the line, which may stand behind the name of an action; null if there is none. */
function givenExperiment(store: Store, { name = [], action = [] }: Given): string | null {
  return [...name, ...action].find(word => store.experiments.find(word) !== null) ?? null
}

/** Runs of the named experiment that are not on the line yet, the newest first. */
function runsOf(store: Store, given: Given): Run[] {
  const { run = [], runs = [] } = given
  const experiment = givenExperiment(store, given)
  return experiment === null
    ? []
    : store.runs.listOf(experiment).filter(({ id }) => ![...run, ...runs].includes(String(id)))
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
  const all = experimentsIn(store)
  const wanted = name === undefined ? all : all.filter(experiment => experiment.name === name[0])
  return [...new Set(wanted.flatMap(({ results }) => Object.keys(results.best)))]
}

/** How many of the newest runs, and how many of their groups, are searched for names of parameters and metrics. */
const [namingRuns, namingGroups] = [5, 20]

/** The newest runs of the experiment on the line, or of that of the run on it; those of all if neither is there. */
function newestRuns(store: Store, given: Given): Run[] {
  if (given.name === undefined) return store.pages.runs(null, 0, namingRuns)
  const experiment = givenExperiment(store, given) ?? givenRun(store, given)?.experiment
  return experiment === undefined ? [] : store.pages.runs(experiment, 0, namingRuns)
}

function metricNames(store: Store, given: Given): string[] {
  const metrics = newestRuns(store, given).flatMap(({ id }) => [...store.readings.ended(id, 0, namingGroups).metrics])
  return [...new Set(metrics.flatMap(each => Object.keys(each)))]
}

async function parametersOf(store: Store, given: Given) {
  const { gridValues } = await import('../../domain/parameters/group-parameters.js')
  const { parameterTexts } = await import('../../domain/parameters/same-value.js')
  return newestRuns(store, given)
    .flatMap(({ id }) => gridValues(store.runs.grid(id), namingGroups, namingGroups) ?? [])
    .map(({ name, values }) => ({ name, values: parameterTexts(values) }))
}

async function parameterNames(store: Store, given: Given): Promise<string[]> {
  return (await parametersOf(store, given)).map(({ name }) => name)
}

/** Parameters, each once: with the dashes of options where they are being typed, else without them. */
function spelled(parameters: readonly string[], typed = ''): string[] {
  return [...new Set(typed.startsWith('-') ? parameters : parameters.map(each => each.replace(/^-+/, '')))]
}

function bothOrders(names: readonly string[]): string[] {
  return names.flatMap(name => [name, `-${name}`])
}

/** Completes the last item of a comma-separated list. */
function listed(words: readonly string[], typed: string): string[] {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1)
  return words.filter(word => !before.split(',').includes(word)).map(word => `${before}${word}`)
}

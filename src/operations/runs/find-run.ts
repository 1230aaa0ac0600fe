import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { readStatuses } from '../../domain/runs/run-filter.js'
import { isRunWord, LATEST, notAnId, readRunIds } from '../../domain/runs/run-ids.js'
import { UserError } from '../../errors.js'
import { refreshRuns } from '../refresh/refresh-runs.js'
import { findExperiment, isExperiment } from '../registry/find-experiment.js'
import type { Workspace } from '../workspace.js'

/** A run, or one of its groups. */
interface RunOrGroup {
  readonly run: Run
  /** The index of the group, as it was typed; null for the run. */
  readonly group: string | null
}

/** Words that name runs. */
interface NamedRuns {
  /** Null if only ids were typed. */
  readonly experiment: string | null
  /** The others: ids, ranges of ids, groups. */
  readonly words: readonly string[]
}

/**
 * Finds a run by what was typed: `4` or `latest`; or `digits 4`, `digits latest`, or `digits` for its last run.
 * @throws UserError that says which runs there are
 */
export function findRun(workspace: Workspace, first: string, second?: string): Run {
  const { run, group } = findRunOrGroup(workspace, first, second)
  if (group === null) return run
  throw new UserError(
    `${second ?? first} is a group, and this command takes a run`,
    `its run is ${run.id}; qanat why ${run.id}.${group}        shows the group`,
  )
}

/** The same for commands that only show something, where a group names its run. */
export function findRunOf(workspace: Workspace, first: string, second?: string): Run {
  const { run, group } = findRunOrGroup(workspace, first, second)
  if (group !== null) readGroup(run, group)
  return run
}

/** The same, also for `4.17` and `latest.17`. @throws UserError that says which runs there are */
export function findRunOrGroup(workspace: Workspace, first: string, second?: string): RunOrGroup {
  const { experiment, words } = readWords(workspace, second === undefined ? [first] : [first, second])
  if (experiment !== null) return runOf(workspace, experiment, words[0] ?? String(lastRun(workspace, experiment).id))
  if (second === undefined) return runOf(workspace, null, words[0]!)
  const isTransposed = isExperiment(workspace, second)
  throw new UserError(
    `no experiment is called '${first}'`,
    isTransposed ? `the experiment comes first: ${second} ${first}` : `one run at a time: ${first}`,
  )
}

/**
 * Finds runs by words such as `digits 3 5-9`, `digits latest` or `3 5-9`.
 * @throws UserError for anything that is not a run, and if there is only an experiment
 */
export function findRuns(workspace: Workspace, words: readonly string[]): Run[] {
  const { experiment, words: named } = readWords(workspace, words)
  if (named.length === 0) {
    throw new UserError('which runs?', `for example: ${experiment ?? 'NAME'} latest, or 4, or 5-9`)
  }
  return runsOf(workspace, experiment, named)
}

/** @throws UserError for words that mean the last run, whichever it is */
function refuseLatest(workspace: Workspace, typed: readonly string[]): void {
  const { words = [] } = typed.length === 0 ? {} : splitExperiment(workspace, typed)
  const latest = words.find(word => LATEST.test(word))
  if (latest === undefined) return
  throw new UserError(
    `'${latest}' may be another run by now: give the ids of the runs, as in 4, or 5-9`,
    'qanat runs --limit 5        lists the newest',
  )
}

/**
 * Finds runs and groups of one experiment by words such as `digits 3 5-9`, `3.1 3.4` or `digits`, which is its last run. Each
 * is there once, in the order of the words.
 * @throws UserError for anything else, and for runs of several experiments
 */
export function findRunsAndGroups(workspace: Workspace, words: readonly string[]): RunOrGroup[] {
  const { name, runs } = runsOfOneExperiment(workspace, words)
  const named = runs.length > 0 ? runs : [String(lastRun(workspace, name).id)]
  const found = named.flatMap(word => {
    if (word.includes('.')) return [runOf(workspace, name, word)]
    return runsOf(workspace, name, [word]).map((run): RunOrGroup => ({ run, group: null }))
  })
  const keys = found.map(({ run, group }) => `${run.id}.${group === null ? '' : Number(group)}`)
  return found.filter((_, at) => keys.indexOf(keys[at]!) === at)
}

/**
 * The runs with one of these states: among those that words name, or without such words among all of the experiment, or
 * of the project. What is known of them is refreshed first.
 * @param statuses as typed, several between commas
 * @throws UserError if there is none, and for an unknown state
 */
async function findRunsWith(
  workspace: Workspace,
  words: readonly string[],
  statuses: readonly string[],
): Promise<Run[]> {
  const wanted = readStatuses(statuses)
  const { experiment, words: named } = readWords(workspace, words)
  const { runs } = workspace.store
  const all = () => (experiment === null ? runs.list() : runs.listOf(experiment))
  const found = named.length > 0 ? runsOf(workspace, experiment, named) : all()
  await refreshRuns(workspace, found)
  const fitting = found.map(({ id }) => runs.get(id)).filter(({ status }) => wanted.includes(status))
  if (fitting.length > 0) return fitting
  const of = experiment === null ? '' : ` of ${experiment}`
  throw new UserError(`no run${of} is ${wanted.join(' or ')}`, 'qanat runs        lists all runs')
}

/**
 * The runs that are to be deleted, as they are now: named by their ids, since the last run may be another one by now.
 * @param statuses as typed; null for all that are named
 * @throws UserError for `latest`, and for an experiment alone
 */
export async function findRunsToDelete(
  workspace: Workspace,
  words: readonly string[],
  statuses: readonly string[] | null,
): Promise<Run[]> {
  refuseLatest(workspace, words)
  if (statuses !== null) return findRunsWith(workspace, words, statuses)
  const { experiment, words: ids } = readWords(workspace, words)
  if (ids.length === 0) {
    const list = experiment === null ? 'qanat runs' : `qanat experiment status ${experiment}`
    throw new UserError('which runs? Give their ids, as in 4, or 5-9', `${list}        lists them`)
  }
  const named = runsOf(workspace, experiment, ids)
  await refreshRuns(workspace, named)
  return named.map(({ id }) => workspace.store.runs.get(id))
}

/**
 * The experiment that such words are about, with the words for its runs and groups; none if only the experiment was named.
 * @throws UserError if there is no such experiment, and for runs of several ones
 */
export function runsOfOneExperiment(workspace: Workspace, words: readonly string[]): { name: string; runs: string[] } {
  const { experiment, words: named } = readWords(workspace, words)
  if (experiment !== null) return { name: experiment, runs: [...named] }
  const [run, ...others] = runsOf(
    workspace,
    null,
    named.map(word => word.split('.')[0]!),
  )
  const other = others.find(each => each.experiment !== run!.experiment)
  if (!other) return { name: run!.experiment, runs: [...named] }
  throw new UserError(
    `run ${run!.id} is of ${run!.experiment}, and run ${other.id} is of ${other.experiment}`,
    'give runs of one experiment',
  )
}

/** Tells the name of an experiment from words for runs. @throws UserError if the first word is neither */
function splitExperiment(workspace: Workspace, words: readonly string[]): NamedRuns {
  const [first = '', ...others] = words
  const isName = isExperiment(workspace, first)
  if (!isName && /^\d[\d.-]*,[\d,.-]*$/.test(first)) throw notAnId(first)
  if (!isName && isRunWord(first)) return { experiment: null, words }
  if (isRunWord(first) && others.length === 0) refuseAmbiguous(workspace, first)
  return { experiment: findExperiment(workspace, first).name, words: others }
}

function readWords(workspace: Workspace, typed: readonly string[]): NamedRuns {
  if (typed.length === 0) return { experiment: null, words: [] }
  const { experiment, words } = splitExperiment(workspace, typed)
  return { experiment, words: words.map(word => word.replace(LATEST, () => String(lastRun(workspace, experiment).id))) }
}

/** @param experiment that they must belong to; null for any */
function runsOf(workspace: Workspace, experiment: string | null, words: readonly string[]): Run[] {
  const { runs } = workspace.store
  const known = experiment === null ? runs.list() : runs.listOf(experiment)
  const ids = readRunIds(
    words,
    known.map(({ id }) => id),
  )
  return ids.map(id => runOf(workspace, experiment, id).run)
}

function runOf(workspace: Workspace, experiment: string | null, word: string): RunOrGroup {
  const [id = '', ...rest] = word.split('.')
  const run = /^\d+$/.test(id) ? workspace.store.runs.find(Number(id)) : null
  if (run === null) return refuseUnknown(workspace, experiment, id)
  if (experiment !== null && run.experiment !== experiment) {
    throw new UserError(`run ${id} belongs to ${run.experiment}, not to ${experiment}`, `use: ${run.experiment} ${id}`)
  }
  return { run, group: rest.length > 0 ? rest.join('.') : null }
}

function lastRun({ store }: Workspace, experiment: string | null): Run {
  const last = store.runs.last(experiment)
  if (last) return last
  const deleted = store.runs.deleted().findLast(run => experiment === null || run.experiment === experiment)
  if (deleted)
    throw new UserError(
      `the runs of ${experiment ?? 'the project'} are in the trash`,
      `qanat trash restore ${deleted.id}`,
    )
  throw new UserError(`${experiment ?? 'the project'} has no runs yet`, `qanat run ${experiment ?? 'NAME'} …`)
}

/** An experiment of an older project may be called like a run. */
function refuseAmbiguous({ store }: Workspace, word: string): void {
  const id = Number(/^\d+/.exec(word)?.[0])
  const run = LATEST.test(word) ? store.runs.last(null) : store.runs.find(id)
  if (run === null) return
  throw new UserError(
    `'${word}' is an experiment and also a run of ${run.experiment}`,
    `${run.experiment} ${run.id}        is that run
  ${word} latest        is the last run of the experiment`,
  )
}

function refuseUnknown({ store }: Workspace, experiment: string | null, id: string): never {
  const deleted = store.runs.deleted().find(run => String(run.id) === id)
  if (deleted && (experiment ?? deleted.experiment) === deleted.experiment) {
    throw new UserError(`run ${id} is in the trash`, `qanat trash restore ${id}`)
  }
  if (experiment === null) throw new UserError(`there is no run ${id}`, 'qanat runs        lists all runs')
  const ids = store.runs.listOf(experiment).map(other => other.id)
  const there =
    ids.length === 0
      ? 'it has no runs yet'
      : `its runs are ${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ', …' : ''}`
  throw new UserError(`no run '${id}' of ${experiment}: ${there}`, `qanat experiment status ${experiment}`)
}

/** Reads the index of a group. @throws UserError that says which groups the run has */
export function readGroup(run: Run, text: string): number {
  const total = totalOf(run.counts)
  if (/^\d+$/.test(text) && Number(text) < total) return Number(text)
  throw new UserError(
    `run ${run.id} has no group '${text}'`,
    total === 1 ? 'its only group is 0' : `its groups are 0 to ${total - 1}`,
  )
}

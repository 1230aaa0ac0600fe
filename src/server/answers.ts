import type { Run } from '../domain/runs/run.js'
import { groupLog } from '../operations/browse/group-log.js'
import { overview } from '../operations/browse/overview.js'
import { browsedGroup, groupPart, type RunParameters, runParameters, runPart } from '../operations/browse/run-pages.js'
import { findExperiment } from '../operations/registry/find-experiment.js'
import {
  chosenMetrics,
  compareExperiment,
  type ExperimentComparison,
} from '../operations/results/compare-experiment.js'
import { failureKinds } from '../operations/results/failure-kinds.js'
import { readGroup } from '../operations/runs/find-run.js'
import { runSurroundings } from '../operations/runs/run-details.js'
import type { Workspace } from '../operations/workspace.js'
import type { TextPart } from '../runfolder/part.js'
import {
  experimentFacts,
  failuresPage,
  groupPage,
  groupsPage,
  overviewPage,
  runPageData,
  runsPage,
} from '../views/browse/pages.js'
import { comparisonPage } from '../views/results/comparison.js'
import { askedComparison, askedPart, askedRuns, askedState, commandText, wholeNumber } from './asked.js'

/** What a page asks for: the words of its address that vary, and its query. */
interface Question {
  readonly words: readonly string[]
  readonly query: URLSearchParams
}

/** Data for a page; bytes for a part of a log. */
export type Answer = object | TextPart

type Answers = readonly (readonly [pattern: RegExp, answer: (asked: Question) => Answer | Promise<Answer>])[]

/** All that pages can ask of a project: only what is listed here, by ids and names, never by a path. */
export function answersOf(workspace: Workspace): Answers {
  const { store } = workspace
  const runOf = ([id = '']: readonly string[]): Run => store.runs.get(Number(id))
  const parametersOf = remembered((run: Run) => runParameters(workspace, run))
  const compare = comparer(workspace)
  return [
    [/^\/api\/overview$/, () => overviewAnswer(workspace)],
    [/^\/api\/runs$/, ({ query }) => runsAnswer(workspace, null, query)],
    [/^\/api\/experiments\/([^/]+)$/, ({ words: [name = ''], query }) => runsAnswer(workspace, name, query)],
    [/^\/api\/experiments\/([^/]+)\/compare$/, ({ words: [name = ''], query }) => compare(name, query)],
    [/^\/api\/runs\/(\d+)$/, ({ words, query }) => runAnswer(workspace, runOf(words), parametersOf, query)],
    [/^\/api\/runs\/(\d+)\/failures$/, ({ words }) => failuresAnswer(workspace, runOf(words))],
    [
      /^\/api\/runs\/(\d+)\/groups\/(\d+)$/,
      ({ words }) => groupPage(runOf(words), groupOf(workspace, runOf(words), words[1]!), Date.now()),
    ],
    [
      /^\/api\/runs\/(\d+)\/groups\/(\d+)\/(stdout|stderr)$/,
      ({ words, query }) => {
        const from = query.has('from') ? wholeNumber(query, 'from', 0) : null
        const run = runOf(words)
        return groupLog(workspace, run, readGroup(run, words[1]!), words[2] as 'stdout' | 'stderr', from)
      },
    ],
  ]
}

function overviewAnswer(workspace: Workspace): object {
  return {
    ...overviewPage(overview(workspace), Date.now()),
    command: commandText('experiment', 'list'),
  }
}

function runsAnswer(workspace: Workspace, name: string | null, query: URLSearchParams): object {
  const experiment = name === null ? null : findExperiment(workspace, name)
  const { filter, sort, options } = askedRuns(query)
  const part = askedPart(query)
  const runs = runPart(workspace, { experiment: experiment?.name ?? null, filter, sort }, part)
  const list = experiment === null ? ['runs'] : ['experiment', 'status', experiment.name]
  return {
    ...(experiment && { description: experiment.description, facts: experimentFacts(experiment) }),
    ...runsPage(runs, experiment === null, Date.now()),
    ...part,
    command: commandText(...list, ...options),
  }
}

function runAnswer(
  workspace: Workspace,
  run: Run,
  parametersOf: (run: Run) => RunParameters,
  query: URLSearchParams,
): object {
  const now = Date.now()
  const part = askedPart(query)
  const parameters = parametersOf(run)
  const groups = groupPart(workspace, run, askedState(query), part)
  const best = workspace.store.experiments.find(run.experiment)?.results.best ?? {}
  const { metrics } = chosenMetrics(groups.groups, null, best)
  return {
    ...runPageData(run, runSurroundings(workspace, run), parameters, now),
    list: { ...groupsPage(run, groups, parameters, metrics, now), ...part },
    command: commandText('run_show', String(run.id)),
  }
}

async function failuresAnswer(workspace: Workspace, run: Run): Promise<object> {
  const failures = await failureKinds(workspace, run.experiment, [String(run.id)])
  return { ...failuresPage(failures), command: commandText('failures', String(run.id)) }
}

/** Parts of a comparison are asked for one after the other: it is made once, until something in the database changes. */
function comparer(workspace: Workspace): (name: string, query: URLSearchParams) => Promise<object> {
  let known: { readonly key: string; readonly comparison: Promise<ExperimentComparison> } | null = null
  return async (name, query) => {
    const { request, ci, options } = askedComparison(name, query)
    const { first, count } = askedPart(query)
    const key = JSON.stringify(request)
    if (known?.key !== key + workspace.store.version()) {
      const comparison = compareExperiment(workspace, request)
      await comparison
      // Reading metrics and refreshing runs has changed the database.
      known = { key: key + workspace.store.version(), comparison }
    }
    const comparison = await known.comparison
    const page = comparisonPage(comparison, ci ? { method: 't' } : null, first, count)
    return { ...page, first, count, command: commandText('compare', name, ...options) }
  }
}

function groupOf(workspace: Workspace, run: Run, word: string) {
  return browsedGroup(workspace, run, readGroup(run, word))
}

/** What has been computed for a run, for the last runs that were asked about: neither its parameters nor its id change. */
function remembered<Value>(compute: (run: Run) => Value): (run: Run) => Value {
  const most = 20
  const known = new Map<number, Value>()
  return run => {
    const value = known.get(run.id) ?? compute(run)
    known.delete(run.id)
    known.set(run.id, value)
    if (known.size > most) known.delete(known.keys().next().value!)
    return value
  }
}

/** Whether an answer is a part of a file. */
export function isPart(answer: Answer): answer is TextPart {
  return 'bytes' in answer
}

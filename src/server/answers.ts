import { metricNames } from '../domain/results/metrics.js'
import type { Run } from '../domain/runs/run.js'
import { groupLog } from '../operations/browse/group-log.js'
import { overview } from '../operations/browse/overview.js'
import {
  browsedGroup,
  chosenGroups,
  groupPart,
  type RunParameters,
  runParameters,
  runPart,
} from '../operations/browse/run-pages.js'
import { purgeWarnings } from '../operations/folder/purge.js'
import { findExperiment } from '../operations/registry/find-experiment.js'
import { chosenMetrics } from '../operations/results/compare/compare-experiment.js'
import { readGroup } from '../operations/runs/find-run.js'
import { runSurroundings } from '../operations/runs/run-details.js'
import type { Workspace } from '../operations/workspace.js'
import { experimentFacts, groupPage, groupsPage, overviewPage, runPageData, runsPage } from '../views/browse/pages.js'
import { askedGroupList, askedPart, askedRuns, askedState, commandText, wholeNumber } from './asked.js'
import type { Answers, Question } from './reply.js'

/** What pages can ask of a project and is answered at once: only what is listed here, by ids and names, never by a path. */
export function answersOf(workspace: Workspace): Answers {
  const { store } = workspace
  const runOf = ([id = '']: readonly string[]): Run => store.runs.get(Number(id))
  const parametersOf = remembered((run: Run) => runParameters(workspace, run))
  const logOf = (stream: 'stdout' | 'stderr', { words, query }: Question) => {
    const from = query.has('from') ? wholeNumber(query, 'from', 0) : null
    const run = runOf(words)
    return groupLog(workspace, run, readGroup(run, words[1]!), stream, from)
  }
  return {
    overview: () => ({
      ...overviewPage(overview(workspace), Date.now()),
      command: commandText('experiment', 'list'),
    }),
    runs: ({ query }) => runsAnswer(workspace, null, query),
    'experiments/NAME': ({ words: [name = ''], query }) => runsAnswer(workspace, name, query),
    'runs/ID': ({ words, query }) => runAnswer(workspace, runOf(words), parametersOf, query),
    'runs/ID/groups/ID': ({ words }) => {
      const run = runOf(words)
      return groupPage(run, browsedGroup(workspace, run, readGroup(run, words[1]!)), Date.now())
    },
    'runs/ID/groups/ID/stdout': asked => logOf('stdout', asked),
    'runs/ID/groups/ID/stderr': asked => logOf('stderr', asked),
  }
}

async function runsAnswer(workspace: Workspace, name: string | null, query: URLSearchParams): Promise<object> {
  const experiment = name === null ? null : findExperiment(workspace, name)
  const { filter, sort, options } = askedRuns(query)
  const part = askedPart(query)
  const runs = await runPart(workspace, { experiment: experiment?.name ?? null, filter, sort }, part)
  const now = Date.now()
  const { remarks, ...page } = runsPage(runs, experiment?.name ?? null, now)
  const list = experiment === null ? ['runs'] : ['experiment', 'status', experiment.name]
  return {
    ...(experiment && { description: experiment.description, facts: experimentFacts(experiment) }),
    ...page,
    remarks: [...remarks, ...purgeWarnings(workspace, runs.runs, now)],
    ...part,
    command: commandText(...list, ...options),
  }
}

async function runAnswer(
  workspace: Workspace,
  run: Run,
  parametersOf: (run: Run) => RunParameters,
  query: URLSearchParams,
): Promise<object> {
  const now = Date.now()
  const part = askedPart(query)
  const parameters = parametersOf(run)
  const asked = askedGroupList(query)
  const groups = asked
    ? await chosenGroups(workspace, run, asked, part)
    : groupPart(workspace, run, askedState(query), part)
  const best = workspace.store.experiments.find(run.experiment)?.results.best ?? {}
  const names = metricNames([...groups.groups, ...groups.groups.map(({ soFar = {} }) => ({ metrics: soFar }))])
  const { metrics } = chosenMetrics(names, null, best)
  return {
    ...runPageData(run, runSurroundings(workspace, run), parameters, now),
    list: { ...groupsPage(run, groups, parameters, metrics, now), ...part },
    command: asked ? commandText('groups', String(run.id), ...asked.options) : commandText('run_show', String(run.id)),
  }
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

import { gridParameters } from '../../domain/parameters/group-parameters.js'
import { groupSortNames } from '../../domain/runs/group-filter.js'
import { endCauses, groupStates } from '../../domain/runs/run.js'
import { sortNames } from '../../domain/runs/run-filter.js'
import { findExperiment } from '../../operations/registry/find-experiment.js'
import { contextNames } from '../../project/contexts/contexts.js'
import { runnerNames } from '../../runners/index.js'
import type { KnownWords, RunPage, RunsPage } from '../../views/explore/state.js'
import type { Pages } from './pages.js'

/** Names of parameters are only offered if they are found without a look at more groups. */
const mostGroups = 1000

/** The words that the filter line of a page can have. */
export function knownWords({ workspace, experiment }: Pages, page: RunsPage | RunPage): KnownWords {
  const { store } = workspace
  const best = Object.keys(findExperiment(workspace, experiment).results.best)
  if (page.kind === 'run') {
    return {
      values: { status: groupStates, cause: endCauses, host: store.pages.hosts(), param: [] },
      parameters: page.varying,
      metrics: [...new Set([...page.metrics, ...best])],
      sortings: [...groupSortNames, ...page.varying.map(name => name.replace(/^-+/, ''))],
    }
  }
  const chosen = page.list.ids[page.list.at]
  const grid = chosen === undefined || store.runs.find(chosen) === null ? null : store.runs.grid(chosen)
  return {
    values: {
      ...{ status: groupStates, runner: runnerNames, context: contextNames(workspace.project), tag: store.runs.tags() },
      ...{ commit: [], description: [], param: [] },
    },
    parameters: grid ? (gridParameters(grid, mostGroups) ?? []).map(({ name }) => name).filter(isOption) : [],
    metrics: best,
    sortings: sortNames,
  }
}

function isOption(name: string): boolean {
  return name.startsWith('-')
}

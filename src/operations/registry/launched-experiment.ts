import { relative } from 'node:path'
import type { Experiment } from '../../domain/experiment.js'
import type { Run } from '../../domain/runs/run.js'
import { programOf } from '../../domain/runs/run-plan.js'
import { quoteWords } from '../../domain/text/shell-text.js'
import { absolutePath, type Workspace } from '../workspace.js'

/** The command and the executable of the experiment with which a run was launched. */
export function programOfRun({ store }: Workspace, { id }: Run): string {
  return programText(store.runs.definition(id).experiment)
}

/** The programs of runs, by their ids; empty if all are the same. */
export function programNames(workspace: Workspace, runs: readonly Run[]): ReadonlyMap<number, string> {
  if (runs.length < 2) return new Map()
  const programs = workspace.store.reading(() => new Map(runs.map(run => [run.id, programOfRun(workspace, run)])))
  return new Set(programs.values()).size > 1 ? programs : new Map()
}

/**
 * What the experiment of a run would run or read now, and did not at the launch of the run, a sentence each. What its scripts
 * and its data contain is compared elsewhere.
 */
export function changesOfExperiment(workspace: Workspace, { id, experiment }: Run): string[] {
  const { store } = workspace
  const now = store.experiments.find(experiment)
  const { experiment: then, datasetPaths } = store.runs.definition(id)
  if (now === null) return []
  // A dataset may have got another name, or another path.
  const isSame = (name: string, at: number) =>
    now.datasets[at] === name || isPlaceOf(workspace, now.datasets[at], datasetPaths[at])
  const [before, after] = [programText(then), programText(now)]
  return [
    ...(before === after ? [] : [`run ${id} ran ${before}, and ${experiment} runs ${after} now`]),
    ...(then.datasets.length === now.datasets.length && then.datasets.every(isSame)
      ? []
      : [`run ${id} read ${datasetsText(then)}, and ${experiment} reads ${datasetsText(now)} now`]),
  ]
}

/** Whether a path that a run was given is that of a dataset, perhaps in the frozen copy of the run. */
function isPlaceOf(workspace: Workspace, name = '', given = ''): boolean {
  const dataset = workspace.store.datasets.find(name)
  if (dataset === null) return false
  const { root, cacheFolder } = workspace.project
  const path = absolutePath(workspace, given)
  if (!path.startsWith(`${cacheFolder}/`)) return path === absolutePath(workspace, dataset.path)
  const inCopy = relative(cacheFolder, path).split('/').slice(1).join('/')
  // The project may be a folder of its repository.
  const above = inCopy.endsWith(`/${dataset.path}`) ? inCopy.slice(0, -dataset.path.length - 1) : null
  return inCopy === dataset.path || (above !== null && root.endsWith(`/${above}`))
}

function programText(experiment: Experiment): string {
  const { executableCommand, executable } = programOf(experiment)
  return quoteWords([...executableCommand, executable])
}

function datasetsText({ datasets }: Experiment): string {
  return datasets.length === 0 ? 'no dataset' : datasets.join(', ')
}

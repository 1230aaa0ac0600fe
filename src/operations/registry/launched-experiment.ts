import type { Experiment } from '../../domain/experiment.js'
import type { Run } from '../../domain/runs/run.js'
import { programOf } from '../../domain/runs/run-plan.js'
import { quoteWords } from '../../domain/text/shell-text.js'
import type { Workspace } from '../workspace.js'
import { DatasetsNow } from './datasets-now.js'

/** The command and the executable of the experiment with which a run was launched. */
export function programOfRun({ store }: Workspace, { id }: Run): string {
  return programText(store.runs.definition(id).experiment)
}

/** The programs of runs, with their containers, by their ids; empty if all are the same. */
export function programNames(workspace: Workspace, runs: readonly Run[]): ReadonlyMap<number, string> {
  if (runs.length < 2) return new Map()
  const inContainer = ({ container }: Run['runnerParameters']) => (container === null ? '' : ` in ${container.image}`)
  const named = (run: Run) => [run.id, programOfRun(workspace, run) + inContainer(run.runnerParameters)] as const
  const programs = workspace.store.reading(() => new Map(runs.map(named)))
  return new Set(programs.values()).size > 1 ? programs : new Map()
}

/**
 * What the experiment of a run would run or read now, and did not at the launch of the run, a sentence each. What its scripts
 * and its data contain is compared elsewhere.
 */
export function changesOfExperiment(workspace: Workspace, { id, experiment }: Run): string[] {
  const { store } = workspace
  const now = store.experiments.find(experiment)
  if (now === null) return []
  const definition = store.runs.definition(id)
  const [before, after] = [programText(definition.experiment), programText(now)]
  const [read, reads] = [new DatasetsNow(workspace).namesOf(definition), now.datasets].map(datasetsText)
  return [
    ...(before === after ? [] : [`run ${id} ran ${before}, and ${experiment} runs ${after} now`]),
    ...(read === reads ? [] : [`run ${id} read ${read}, and ${experiment} reads ${reads} now`]),
  ]
}

/** The command and the executable of an experiment. */
export function programText(experiment: Experiment): string {
  const { executableCommand, executable } = programOf(experiment)
  return quoteWords([...executableCommand, executable])
}

function datasetsText(datasets: readonly string[]): string {
  return datasets.length === 0 ? 'no dataset' : datasets.join(', ')
}

import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import { findExperiment } from '../registry/find-experiment.js'
import type { Workspace } from '../workspace.js'

/** Finds a run of an experiment. @throws UserError that lists its runs, or names the experiment that the run belongs to */
export function findRun(workspace: Workspace, experimentName: string, id: string): Run {
  const experiment = findExperiment(workspace, experimentName)
  const run = /^\d+$/.test(id) ? workspace.store.runs.find(Number(id)) : null
  if (run?.experiment === experiment.name) return run
  if (run) {
    throw new UserError(
      `run ${id} belongs to ${run.experiment}, not to ${experiment.name}`,
      `use: ${run.experiment} ${id}`,
    )
  }
  const ids = workspace.store.runs.listOf(experiment.name).map(other => other.id)
  const there =
    ids.length === 0
      ? 'it has no runs yet'
      : `its runs are ${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ', …' : ''}`
  throw new UserError(`no run '${id}' of ${experiment.name}: ${there}`, `qanat experiment status ${experiment.name}`)
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

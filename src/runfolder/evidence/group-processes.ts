import { groupFolder, type Place } from '../../domain/runs/run-plan.js'
import { type MarkedProcess, markedProcesses } from '../../system/processes/marked.js'

/** A run whose processes are looked for. */
export interface RunOfProcesses {
  readonly runId: number
  /** Its folder as its groups see it. */
  readonly place: Pick<Place, 'there'>
  readonly groupCount: number
}

/**
 * The processes of a run on this machine, wherever they have gone. Those of a copy of the project, or of a run that was
 * stored in the same folder, are others: the number of the run and the folder have to agree.
 * @param marked all processes of groups
 */
export function processesOfRun(
  { runId, place, groupCount }: RunOfProcesses,
  marked: readonly MarkedProcess[] = markedProcesses(),
): MarkedProcess[] {
  const isOurs = ({ run, group, folder }: MarkedProcess) =>
    run === runId && folder === groupFolder(place.there, groupCount, group)
  return marked.filter(isOurs)
}

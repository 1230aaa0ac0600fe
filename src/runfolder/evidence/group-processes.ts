import { groupFolder } from '../../domain/runs/run-plan.js'
import { type MarkedProcess, markedProcesses } from '../../system/processes/marked.js'

/** A run whose processes are looked for. */
export interface RunOfProcesses {
  readonly runId: number
  /** Absolute folder of the run. */
  readonly storagePath: string
  readonly groupCount: number
}

/**
 * The processes of a run on this machine, wherever they have gone. Those of a copy of the project, or of a run that was
 * stored in the same folder, are others: the number of the run and the folder have to agree.
 * @param marked all processes of groups
 */
export function processesOfRun(
  { runId, storagePath, groupCount }: RunOfProcesses,
  marked: readonly MarkedProcess[] = markedProcesses(),
): MarkedProcess[] {
  const isOurs = ({ run, group, folder }: MarkedProcess) =>
    run === runId && folder === groupFolder(storagePath, groupCount, group)
  return marked.filter(isOurs)
}

import { groupFolder, type Place } from '../../domain/runs/run-plan.js'
import { endProcesses, type MarkedProcess, markedProcesses } from '../../system/processes/marked.js'

/** A run whose processes are looked for. */
export interface RunOfProcesses {
  readonly runId: number
  /** Its folder as its groups see it. */
  readonly place: Pick<Place, 'there'>
  readonly groupCount: number
}

/** The processes of all groups on this machine, as they were at one look. */
export class GroupProcesses {
  private readonly all = markedProcesses()

  /** Whether a run with that number may have some: it may be a run of another project. */
  mayHave(runId: number): boolean {
    return this.all.some(({ run }) => run === runId)
  }

  /**
   * Those of a run, wherever they have gone. Those of a copy of the project, or of a run that was stored in the same folder, are
   * others: the number of the run and the folder have to agree.
   */
  of({ runId, place, groupCount }: RunOfProcesses): MarkedProcess[] {
    const isOurs = ({ run, group, folder }: MarkedProcess) =>
      run === runId && folder === groupFolder(place.there, groupCount, group)
    return this.all.filter(isOurs)
  }
}

/** The processes of a run on this machine now, see {@link GroupProcesses}. */
export function processesOfRun(run: RunOfProcesses): MarkedProcess[] {
  return new GroupProcesses().of(run)
}

/** Ends processes of groups. @param find those that are left, among all of them @returns those that cannot be ended */
export function endGroupProcesses(
  find: (processes: GroupProcesses) => MarkedProcess[],
): Promise<readonly MarkedProcess[]> {
  return endProcesses(() => find(new GroupProcesses()))
}

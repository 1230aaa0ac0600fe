import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { areAllFetched } from '../../runfolder/files/fetched.js'
import { placeOf, siteOf, type Workspace } from '../workspace.js'

/** How the folder of a run on this machine relates to the one in which its groups work. */
export interface Mirror {
  /** The folder in its context, absolute; null for a run of this machine, and where it is not known now. */
  readonly remotePath: string | null
  /** Whether all files of the run are on this machine. */
  readonly isFetched: boolean
}

/** What is known of that without a question to the context. */
export function mirrorOf(workspace: Workspace, run: Run): Mirror {
  if (siteOf(workspace, run).isHere) return { remotePath: null, isFetched: true }
  const { here, there } = placeOf(workspace, run)
  return {
    remotePath: there === here ? null : there,
    isFetched: isOver(run.counts) && areAllFetched(here, run.finished),
  }
}

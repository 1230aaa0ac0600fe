import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { QanatError } from '../../errors.js'
import type { Fetched } from '../../sites/site.js'
import { siteOf, type Workspace } from '../workspace.js'
import { type FetchChoice, fetchFiles } from './fetch-files.js'
import { mirrorOf } from './mirror.js'

/**
 * Fetches files of a run elsewhere that a command is about to read, and says so. If nobody answers there, it says so, too: what is
 * here is read.
 * @param group only those of that group; null for all
 * @returns null if nothing had to be fetched, or could be
 */
export async function fetchNeeded(
  workspace: Workspace,
  run: Run,
  choiceOf: (workspace: Workspace, run: Run) => FetchChoice,
  group: number | null = null,
): Promise<Fetched | null> {
  const { isHere, namespace } = siteOf(workspace, run)
  if (isHere || mirrorOf(workspace, run).isFetched) return null
  // In a namespace, a pod would have to start before those that wait.
  if (namespace !== null && run.counts.pending === totalOf(run.counts)) return null
  try {
    const fetched = await fetchFiles(workspace, run, choiceOf(workspace, run), group)
    const count = fetched.came.length
    if (count > 0) workspace.note(`fetched ${count} file${count === 1 ? '' : 's'} of run ${run.id} from ${run.site}`)
    return fetched
  } catch (error) {
    if (!(error instanceof QanatError)) throw error
    const { message, hint } = error
    workspace.warn(`only what is here of run ${run.id} is read: ${message}${hint === null ? '' : `\n${hint}`}`)
    return null
  }
}

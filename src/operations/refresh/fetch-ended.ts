import { largestOfLive } from '../../domain/data/fetch-rules.js'
import type { Run } from '../../domain/runs/run.js'
import { startAlso } from '../../project/scripts/caller.js'
import { fetchFiles } from '../folder/fetch-files.js'
import type { Workspace } from '../workspace.js'
import type { WhenLate } from './visit.js'

/**
 * Fetches what is large and comes by itself, of runs of which groups have just ended. If nobody waits for the site, a process in the
 * background does that.
 */
export async function fetchEnded(workspace: Workspace, runs: readonly Run[], whenLate: WhenLate): Promise<void> {
  for (const run of runs) {
    const rules = workspace.findContext(run.site)?.fetch ?? null
    if (rules === null || rules.maxFile <= largestOfLive) continue
    if (whenLate !== 'is waited for') startAlso('run_fetch', String(run.id))
    else
      await fetchFiles(workspace, run, rules, null).catch((error: Error) =>
        workspace.warn(`files of run ${run.id} are not fetched: ${error.message}`),
      )
  }
}

import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import { noteAllFetched } from '../../runfolder/files/fetched.js'
import { refreshRun } from '../refresh/refresh-runs.js'
import { placeOf, siteOf, type Workspace } from '../workspace.js'

/** Fetches all files of a run that lives at another site. @throws UserError if it lives here */
export async function fetchRun(workspace: Workspace, run: Run): Promise<Run> {
  const site = siteOf(workspace, run)
  if (site.isHere) throw new UserError(`run ${run.id} lives on this machine`, `its files are in ${run.storagePath}`)
  const place = placeOf(workspace, run)
  const before = await refreshRun(workspace, run)
  await site.fetch([place])
  if (isOver(before.counts)) noteAllFetched(place.here, before.finished)
  return before
}

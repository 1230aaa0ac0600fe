import type { Run } from '../../domain/runs/run.js'
import { secretsFile } from '../../runfolder/layout.js'
import { holdsRun } from '../../runfolder/record.js'
import { placeOf, siteOf, type Workspace } from '../workspace.js'

/** Removes the secrets of a run that is over, or is being deleted. Another folder in the place of its own is left alone. */
export async function forgetSecrets(workspace: Workspace, run: Run): Promise<void> {
  const { token, attempts } = workspace.store.runs.submission(run.id)
  const had = attempts.filter(({ resolved }) => Object.keys(resolved.secrets ?? []).length > 0)
  const place = placeOf(workspace, run)
  if (had.length === 0 || !holdsRun(place.here, token)) return
  await siteOf(workspace, run).mutate(
    place,
    had.map(({ attempt }) => ({ remove: secretsFile(attempt) })),
  )
}

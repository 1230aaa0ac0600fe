import type { FetchRules } from '../../domain/data/fetch-rules.js'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import { hasEnded, type Run } from '../../domain/runs/run.js'
import { type PathRules, wantedBy } from '../../domain/text/path-patterns.js'
import { noteAllFetched } from '../../runfolder/files/fetched.js'
import { warningsFile } from '../../runfolder/layout.js'
import type { Fetched, FileThere } from '../../sites/site.js'
import { withProjectLock } from '../../store/locks/project-lock.js'
import { placeOf, siteOf, type Workspace } from '../workspace.js'
import { transferProgress } from './transfer-progress.js'

/** Which files of a run are fetched. Patterns are relative to the folder of a group. */
export type FetchChoice =
  /** All of them. */
  | 'all'
  /** Those of groups, whatever their size. */
  | PathRules
  /** Those of groups that have ended and that the context lets come by themselves. */
  | FetchRules
  /** Those of which it says so; their paths are relative to the folder of the run. */
  | ((file: FileThere) => boolean)

/** What is fetched of a run if nothing else is said: what its context names, or all. @throws UserError if the context is gone */
export function usualChoice({ findContext }: Workspace, { site }: Run): FetchChoice {
  return findContext(site)?.fetch ?? 'all'
}

/**
 * Fetches files of a run that lives at another site.
 * @param group only those of that group; null for all
 */
export function fetchFiles(
  workspace: Workspace,
  run: Run,
  choice: FetchChoice,
  group: number | null,
): Promise<Fetched> {
  const { project, store, progress } = workspace
  const place = placeOf(workspace, run)
  const isAlone = totalOf(run.counts) === 1
  const folder = group === null || isAlone ? '' : `group_${group}`
  const wish = {
    folder,
    wants:
      choice === 'all' ? () => true : typeof choice === 'function' ? choice : wantedOfGroups(workspace, run, choice),
    progress: transferProgress(progress, `Fetching run ${run.id}`),
  }
  // Two commands would both write the parts of large files.
  return withProjectLock(project, `fetch-${run.id}`, async () => {
    const fetched = await siteOf(workspace, run)
      .fetch(place, wish)
      .finally(() => progress(null))
    const now = store.runs.find(run.id)
    if (now && isOver(now.counts) && folder === '' && fetched.stayed.length === 0)
      noteAllFetched(place.here, now.finished)
    return fetched
  })
}

/** What is wanted of the folders of groups: nothing in `.run`. */
function wantedOfGroups({ store }: Workspace, run: Run, choice: PathRules | FetchRules): (file: FileThere) => boolean {
  const isAlone = totalOf(run.counts) === 1
  const fits = wantedBy(choice)
  const largest = 'maxFile' in choice ? choice.maxFile : Infinity
  const groups = 'maxFile' in choice ? store.runs.groups(run.id) : []
  const ended = new Set(groups.filter(({ status }) => hasEnded(status.state)).map(({ index }) => index))
  return ({ path, size }) => {
    // It may be written after the last visit.
    if (path === warningsFile) return true
    if (path.startsWith('.run/') || size > largest) return false
    const [, index, inGroup] = (!isAlone && /^group_(\d+)\/(.*)$/s.exec(path)) || [null, '0', path]
    return fits(inGroup!) && (!('maxFile' in choice) || ended.has(Number(index)))
  }
}

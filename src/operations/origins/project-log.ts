import { relative } from 'node:path'
import type { ListedAction } from '../../domain/action-record.js'
import type { Run } from '../../domain/runs/run.js'
import { lastCommentIn } from '../../runfolder/comment.js'
import { listActions } from '../actions/list-actions.js'
import { exportFolders } from '../registry/export-folders.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { exportedFiles } from './exported-files.js'

/** What happened, and to what. */
type LogEvent =
  | { readonly event: 'run' | 'cancel'; readonly run: Run }
  /** @property groups how many; null for all */
  | { readonly event: 'retry'; readonly run: Run; readonly groups: number | null }
  | { readonly event: 'retire' | 'comment'; readonly run: Run; readonly text: string }
  | { readonly event: 'action'; readonly action: ListedAction }
  /** @property files relative to the document's folder of exports */
  | { readonly event: 'export'; readonly run: number; readonly document: string; readonly files: readonly string[] }
  | { readonly event: 'compile'; readonly document: string }

/** Something that was done in a project. */
export type LogEntry = LogEvent & {
  /** Milliseconds since the epoch. */
  readonly at: number
}

/**
 * What was done in a project, the oldest first: launches, retries, cancellations and retirements of runs that are not deleted, the
 * last change of each comment, actions, the files that documents have exported, and the last compilation of each.
 * @param since milliseconds since the epoch
 */
export function projectLog(workspace: Workspace, since: number): LogEntry[] {
  const { store } = workspace
  const runs = store.runs.list()
  const entries: LogEntry[] = [
    ...runs.map(run => ({ event: 'run' as const, at: run.launched, run })),
    ...attempts(workspace, runs),
    ...runs.flatMap(run =>
      run.retired ? [{ event: 'retire' as const, at: run.retired.at, run, text: run.retired.why }] : [],
    ),
    ...runs.flatMap(run => {
      const comment = lastCommentIn(absolutePath(workspace, run.storagePath), since)
      return comment === null ? [] : [{ event: 'comment' as const, run, ...comment }]
    }),
    ...listActions(workspace, null).map(action => ({ event: 'action' as const, at: action.started, action })),
    ...exports(workspace),
    ...store.documents
      .list()
      .flatMap(({ name, compiled }) =>
        compiled === null ? [] : [{ event: 'compile' as const, at: compiled, document: name }],
      ),
  ]
  return entries.filter(({ at }) => at >= since).toSorted((a, b) => a.at - b.at)
}

function attempts({ store }: Workspace, runs: readonly Run[]): LogEntry[] {
  const byId = new Map(runs.map(run => [run.id, run]))
  return store.attempts.changes().flatMap(({ run: id, attempt, groups, launched, cancelled }): LogEntry[] => {
    const run = byId.get(id)
    if (run === undefined) return []
    return [
      ...(attempt > 1 ? [{ event: 'retry' as const, at: launched, run, groups }] : []),
      ...(cancelled === null ? [] : [{ event: 'cancel' as const, at: cancelled, run }]),
    ]
  })
}

/** The exported files, those of a document and a run together, at the time of the last one. */
function exports(workspace: Workspace): LogEntry[] {
  const found = new Map<string, Extract<LogEntry, { event: 'export' }>>()
  const folders = exportFolders(workspace)
  for (const { path, note } of exportedFiles(workspace)) {
    const { document, run, exported } = note
    const key = JSON.stringify([document, run])
    const folder = folders.find(each => path.startsWith(`${each}/`)) ?? workspace.project.root
    const { files = [], at = 0 } = found.get(key) ?? {}
    const all = [...files, relative(folder, path)]
    found.set(key, { event: 'export', at: Math.max(at, exported), run, document, files: all })
  }
  return [...found.values()]
}

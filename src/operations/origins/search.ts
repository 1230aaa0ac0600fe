import type { Run } from '../../domain/runs/run.js'
import { type Content, hasContent } from '../../project/output/content.js'
import type { Workspace } from '../workspace.js'

const unknown = { run: null, group: null, isTrashed: false, source: null, read: [], path: null }
/** An origin of which nothing is known yet. */
export const nothing = {
  ...unknown,
  action: null,
  document: null,
  command: null,
  compilation: null,
  changed: null,
  doubt: null,
}

/** A search for what has made a file. */
export interface Search extends Content {
  readonly workspace: Workspace
  /** The ids of the runs in the trash. */
  readonly trashed: ReadonlySet<number>
  /** By the clock of `performance`. */
  readonly end: number
}

/** Whether a file has the content that is searched for, as far as there is time to find out. */
export function isSame(search: Search, path: string): Promise<boolean> {
  return hasContent(path, search, search.end - performance.now())
}

/** The run that a file names, also one in the trash; null if it is not in this project. */
export function runNamed({ workspace: { store } }: Search, id: number, token: string): Run | null {
  const run = store.runs.find(id) ?? store.runs.deleted().find(each => each.id === id) ?? null
  return run !== null && store.runs.token(id) === token ? run : null
}

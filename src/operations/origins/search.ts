import type { Run } from '../../domain/runs/run.js'
import { realPath } from '../../system/files.js'
import { digestsOf } from '../../system/folders/listing.js'
import type { Workspace } from '../workspace.js'

const unknown = { run: null, group: null, isTrashed: false, source: null, path: null }
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
export interface Search {
  readonly workspace: Workspace
  /** Absolute, with links resolved. */
  readonly file: string
  readonly size: number
  readonly digest: string
  /** The ids of the runs in the trash. */
  readonly trashed: ReadonlySet<number>
  /** By the clock of `performance`. */
  readonly end: number
}

/** Every empty file has the same content: only its place tells something. */
export async function isSame({ file, size, digest, end }: Search, path: string): Promise<boolean> {
  if (size === 0) return realPath(path) === file
  const [found] = await digestsOf([{ path, size }], { milliseconds: end - performance.now(), largest: size })
  return found === digest
}

/** The run that a file names, also one in the trash; null if it is not in this project. */
export function runNamed({ workspace: { store } }: Search, id: number, token: string): Run | null {
  const run = store.runs.find(id) ?? store.runs.deleted().find(each => each.id === id) ?? null
  return run !== null && store.runs.token(id) === token ? run : null
}

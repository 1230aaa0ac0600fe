import { inProject } from '../../../code/compare.js'
import { planCopy } from '../../../code/frozen/frozen-code.js'
import type { RunCode } from '../../../code/run-code.js'
import type { Workspace } from '../../workspace.js'
import { copyFor, placesOf } from './freeze.js'

/** What a frozen copy has besides its commit, in paths relative to the project's root. */
export interface CopyContents {
  /** Shared with the tree. */
  readonly linked: readonly string[]
  /** Its own, as it is in the tree. */
  readonly cloned: readonly string[]
  /** Its own, from nothing. */
  readonly empty: readonly string[]
  /** The commands that run in it before the first group. */
  readonly prepare: readonly string[]
}

/** What the next frozen copy of some code would have. Nothing is made. */
export async function contentsOfCopy(workspace: Workspace, code: RunCode): Promise<CopyContents> {
  const { state, commit } = code
  const folder = copyFor(workspace, code, null)
  const { links, cloned, empty } = await planCopy(state, commit, { folder, ...placesOf(workspace) })
  const named = (paths: Iterable<string>) => Array.from(paths, path => inProject(state.prefix, path))
  const { prepare } = workspace.config
  return { linked: named(links), cloned: named(cloned.keys()), empty: named(empty.keys()), prepare }
}

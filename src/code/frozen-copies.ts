import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { removeFrozenCode } from './frozen-code.js'
import { inspectTree } from './tree-state.js'

/** A frozen copy in the cache. */
export interface FrozenCopy {
  /** Name of its folder: the first digits of its commit, or a dotted temporary name left by a crash. */
  readonly name: string
  /** True while a launch may be using it without having stored its run yet. */
  readonly isNew: boolean
}

/** How long a copy counts as new after a launch has made or found it, in milliseconds. */
const launchTime = 60_000

/** The copies in the cache, by name. @param cacheFolder absolute; it need not exist */
export function frozenCopies(cacheFolder: string): FrozenCopy[] {
  if (!existsSync(cacheFolder)) return []
  const folders = readdirSync(cacheFolder, { withFileTypes: true }).filter(entry => entry.isDirectory())
  return folders
    .map(({ name }) => ({ name, isNew: Date.now() - lstatSync(join(cacheFolder, name)).mtimeMs < launchTime }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** Removes copies from the cache. Call with the lock of the copies held. */
export async function removeCopies(
  projectRoot: string,
  cacheFolder: string,
  copies: readonly { readonly name: string }[],
): Promise<void> {
  const { gitRoot } = await inspectTree(projectRoot)
  for (const { name } of copies) await removeFrozenCode(gitRoot, join(cacheFolder, name))
}

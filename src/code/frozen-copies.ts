import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { refuseLink } from '../system/files.js'
import { folderSize } from '../system/folder-size.js'
import { withLock } from '../system/lock.js'
import { removeFrozenCode } from './frozen-code.js'
import { inspectTree } from './tree-state.js'

/** A frozen copy in the cache. */
export interface FrozenCopy {
  /** Name of its folder: the first digits of its commit, or a dotted name of a copy that a crash has left half-made. */
  readonly name: string
  readonly bytes: number
  /** True while a launch may have made or found it without a run that says so yet. */
  readonly isNew: boolean
}

/** How long a copy counts as new after it was made or found, in milliseconds. */
const launchTime = 60_000

/** The copies in the cache, by name. @param cacheFolder absolute; it need not be there */
export function frozenCopies(cacheFolder: string): FrozenCopy[] {
  if (!existsSync(cacheFolder)) return []
  const folders = readdirSync(cacheFolder, { withFileTypes: true }).filter(entry => entry.isDirectory())
  return folders
    .map(({ name }) => {
      const path = join(cacheFolder, name)
      return { name, bytes: folderSize(path), isNew: Date.now() - lstatSync(path).mtimeMs < launchTime }
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

/**
 * Removes copies from the cache, while no launch can make or find one.
 * @param choose says which; it is asked once launches are kept out
 * @returns what was removed
 * @throws UserError where the cache is a link: what it leads to may be somebody's
 */
export async function removeCopies<Copy extends { readonly name: string }>(
  projectRoot: string,
  cacheFolder: string,
  choose: () => readonly Copy[],
): Promise<readonly Copy[]> {
  if (!existsSync(cacheFolder)) return []
  refuseLink(dirname(cacheFolder))
  refuseLink(cacheFolder)
  const { gitRoot } = await inspectTree(projectRoot)
  return withLock(join(cacheFolder, '.lock'), async () => {
    const copies = choose()
    for (const { name } of copies) await removeFrozenCode(gitRoot, join(cacheFolder, name))
    return copies
  })
}

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { isFile, realPath } from '../../system/files.js'
import { folderSize } from '../../system/folder-size.js'
import { importsFolder } from '../imports/imports-folder.js'
import { inspectTree } from '../tree-state.js'
import { findCopy, isOfOthers, removeFrozenCode } from './frozen-code.js'
import { keptMark } from './left-behind.js'
import { ownMark } from './own-mark.js'

/**
 * The names of the copies in the cache, sorted: the first digits of their commit, or a dotted temporary name left by a crash.
 * @param cacheFolder absolute; it need not exist
 */
export function frozenCopies(cacheFolder: string): string[] {
  if (!existsSync(cacheFolder)) return []
  const folders = readdirSync(cacheFolder, { withFileTypes: true }).filter(entry => entry.isDirectory())
  // The older program has clones there, named by all 40 digits of their commit.
  const names = folders.map(({ name }) => name).filter(name => /^\.?[0-9a-f]{12}(?![0-9a-f])/.test(name))
  return names.sort()
}

/** Whether a copy is still there. @param copy absolute */
export function isCopyThere(copy: string): boolean {
  return existsSync(copy)
}

/** The size of a copy, in bytes. @param name its name in the cache */
export function copySize(cacheFolder: string, name: string): number {
  return folderSize(join(cacheFolder, name))
}

/** Those that have builds of their own, absolute, the one first that was used last. */
export function copiesWithBuilds(cacheFolder: string): string[] {
  const copies = frozenCopies(cacheFolder).map(name => join(cacheFolder, name))
  const used = copies.flatMap(copy => {
    const mark = statSync(ownMark(copy), { throwIfNoEntry: false })
    return mark ? [{ copy, at: mark.mtimeMs }] : []
  })
  return used.sort((one, other) => other.at - one.at).map(({ copy }) => copy)
}

/**
 * The files of a project that were written since a time and that a copy has by a link to them, or to a folder around them.
 * @param copy absolute
 * @param paths relative to the project; some may be no files
 * @param since milliseconds since the epoch
 */
export function sharedSince(projectRoot: string, copy: string, paths: readonly string[], since: number): string[] {
  return paths.filter(path => {
    const place = resolve(projectRoot, path)
    const stats = isFile(place) ? statSync(place) : null
    return stats !== null && Math.max(stats.mtimeMs, stats.ctimeMs) >= since && isShared(projectRoot, copy, place)
  })
}

function isShared(projectRoot: string, copy: string, place: string): boolean {
  let gitRoot = projectRoot
  while (!existsSync(join(gitRoot, '.git')) && gitRoot !== dirname(gitRoot)) gitRoot = dirname(gitRoot)
  const inside = relative(gitRoot, place)
  return !inside.startsWith('..') && existsSync(place) && realPath(join(copy, inside)) === realPath(place)
}

/** Files that scripts have left in a copy; null if it is not one of ours, or if git no longer knows it. @param copy absolute */
export async function leftIn(projectRoot: string, copy: string): Promise<readonly string[] | null> {
  if (isOfOthers(copy)) return null
  const state = await findCopy(projectRoot, copy)
  if (state) return state.left
  // A launch that died has left this copy incomplete, and nothing ran in it. Behind a link it may be that of another project.
  const isIncomplete = basename(copy).startsWith('.') || readdirSync(copy).length === 0
  return isIncomplete && realPath(copy) === copy ? [] : null
}

/** Removes copies from the cache. Call with the lock of the copies held. */
export async function removeCopies(
  projectRoot: string,
  cacheFolder: string,
  copies: readonly { readonly name: string }[],
): Promise<void> {
  const { gitRoot } = await inspectTree(projectRoot)
  for (const { name } of copies) {
    const copy = join(cacheFolder, name)
    await removeFrozenCode(gitRoot, copy)
    for (const mark of [keptMark(copy), ownMark(copy), `${copy}.prepared.log`]) rmSync(mark, { force: true })
    rmSync(importsFolder(copy), { recursive: true, force: true })
  }
}

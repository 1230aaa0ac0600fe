import { lstatSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { TreeState } from '../tree-state.js'

/**
 * Gives the files of a copy the times of the tree's files that they equal, and all others the time of now: builds that
 * were cloned from the tree then decide by times as they would in the tree.
 * @param recorded the commit of the copy
 * @param copy absolute
 */
export async function takeTreeTimes({ git, gitRoot }: TreeState, recorded: string, copy: string): Promise<void> {
  const [index, tree, edited] = await Promise.all([
    git.run('ls-files', '--stage', '-z', '--full-name', '--', ':/'),
    git.run('ls-tree', '-r', '-z', '--full-tree', recorded),
    git.run('diff-files', '--name-only', '-z'),
  ])
  const inTree = new Map(entriesOf(index, /^(100\d+) (\S+) 0\t(.*)$/s))
  for (const path of edited.split('\0')) inTree.delete(path)
  const now = new Date()
  for (const [path, blob] of entriesOf(tree, /^(100\d+) blob (\S+)\t(.*)$/s)) {
    const [source, place] = [join(gitRoot, path), join(copy, path)]
    const [stats, there] = [source, place].map(each => lstatSync(each, { throwIfNoEntry: false }))
    if (!there?.isFile()) continue
    const isSame = inTree.get(path) === blob || (stats?.size === there.size && hasSameContent(source, place))
    if (stats?.isFile() && isSame) utimesSync(place, stats.atime, stats.mtime)
    else utimesSync(place, now, now)
  }
}

/** Of the files of a list of git: the path and the blob. */
function entriesOf(list: string, pattern: RegExp): [path: string, blob: string][] {
  return list.split('\0').flatMap(entry => {
    const [, , blob, path] = pattern.exec(entry) ?? []
    return path === undefined ? [] : [[path, blob!] as [string, string]]
  })
}

function hasSameContent(one: string, other: string): boolean {
  return readFileSync(one).equals(readFileSync(other))
}

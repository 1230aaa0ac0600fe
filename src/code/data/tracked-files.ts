import { join, relative } from 'node:path'
import { canRead } from '../../system/regular-file.js'
import { type Git, GitError, openGit } from '../git.js'
import type { RunCode } from '../run-code.js'

/** Git's hashes (`git:…`) of tracked files, by their paths relative to a folder; `.` for the folder if it is a file itself. */
export type TrackedFiles = ReadonlyMap<string, string>

/** At most this many paths are given to git at once. */
const pathsAtOnce = 500

/**
 * The files below a folder as some code has them.
 * @param projectRoot absolute
 * @param folder absolute; a folder outside of the project has none
 */
export async function trackedInCode(
  { state, commit, patch }: RunCode,
  projectRoot: string,
  folder: string,
): Promise<TrackedFiles> {
  const inside = relative(projectRoot, folder)
  if (inside === '' || inside.startsWith('..')) return new Map()
  const path = join(state.prefix, inside)
  const entries = await state.git.run(
    'ls-tree',
    '-r',
    '--full-tree',
    '-z',
    patch?.tree ?? commit,
    '--',
    `:(literal)${path}`,
  )
  return readEntries(entries, /^100\d+ blob (\S+)\t(.*)$/s, path)
}

/**
 * The files below a folder as they are in the working tree; none without a repository. What cannot be read now has no hash,
 * and pipes are not opened.
 * @param folder absolute
 */
export async function trackedInTree(projectRoot: string, folder: string): Promise<TrackedFiles> {
  const inside = relative(projectRoot, folder)
  if (inside === '' || inside.startsWith('..')) return new Map()
  const git = openGit(projectRoot)
  const list = (...options: string[]) => git.run('ls-files', '-z', ...options, '--', `:(literal)${inside}`)
  const [entries, modified] = await Promise.all([list('--stage'), list('--modified')]).catch(nothingFound)
  const tracked = new Map(readEntries(entries, /^100\d+ (\S+) \d\t(.*)$/s, inside))
  const changed = [...new Set(namesOf(modified))]
  for (const path of changed) tracked.delete(nameIn(inside, path))
  const there = changed.filter(path => canRead(join(projectRoot, path)))
  for (let at = 0; at < there.length; at += pathsAtOnce) {
    const paths = there.slice(at, at + pathsAtOnce)
    const hashes = await hashesOf(git, paths)
    for (const [number, hash] of hashes.entries()) tracked.set(nameIn(inside, paths[number]!), `git:${hash}`)
  }
  return tracked
}

/** None if a file has gone since it was looked at. */
async function hashesOf(git: Git, paths: readonly string[]): Promise<string[]> {
  try {
    return (await git.run('hash-object', '--', ...paths)).trim().split('\n')
  } catch (error) {
    if (error instanceof GitError) return []
    throw error
  }
}

function nothingFound(error: unknown): [string, string] {
  if (error instanceof GitError) return ['', '']
  throw error
}

function readEntries(text: string, pattern: RegExp, folder: string): TrackedFiles {
  const found = namesOf(text).flatMap(entry => {
    const [, hash, path] = pattern.exec(entry) ?? []
    return hash === undefined ? [] : [[nameIn(folder, path!), `git:${hash}`] as const]
  })
  return new Map(found)
}

function nameIn(folder: string, path: string): string {
  return relative(folder, path) || '.'
}

function namesOf(text: string): string[] {
  return text.split('\0').filter(entry => entry !== '')
}

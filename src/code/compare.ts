import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { CountsAsCode } from '../domain/code-used.js'
import { GitError, openGit } from './git.js'
import { inspectTree, otherSubmodules, type TreeState } from './tree-state.js'
import { workingTree } from './working-patch.js'

/** The code that a run recorded. */
export interface RecordedCode {
  readonly commit: string
  /** Git object with the content of a dirty tree; null for a clean one. */
  readonly tree: string | null
}

/** What is needed to read code that is in a repository. */
export type CodeRepository = Pick<TreeState, 'git' | 'prefix'> & Partial<Pick<TreeState, 'head' | 'committed'>>

/** The repository of a project, whatever the state of its tree; null if there is none any more. @param projectRoot absolute */
export async function codeRepository(projectRoot: string): Promise<CodeRepository | null> {
  const git = openGit(projectRoot)
  const prefix = await unlessMissing(git.run('rev-parse', '--show-prefix'))
  return prefix === null ? null : { git, prefix: prefix.replace(/\n$/, '') }
}

/** A path of a repository, relative to the project. */
export interface CodeFile {
  readonly path: string
  readonly isSubmodule: boolean
  /** Mode, type and id, as git writes them. */
  readonly content: string
}

/** All paths of a commit or a tree; null if the object is not in this repository. */
export async function filesOfCode(
  { git, prefix, head, committed }: CodeRepository,
  { commit, tree }: RecordedCode,
): Promise<CodeFile[] | null> {
  const isKnown = tree === null && commit === head && committed
  const list = isKnown || (await unlessMissing(git.run('ls-tree', '-r', '-z', '--full-tree', tree ?? commit)))
  if (list === null) return null
  return list
    .split('\0')
    .slice(0, -1)
    .map(entry => {
      const [content = ''] = entry.split('\t', 1)
      const path = inProject(prefix, entry.slice(content.length + 1))
      return { path, content, isSubmodule: content.startsWith('160000 ') }
    })
}

/**
 * Hash of the code of a commit or a tree: of the paths that count, with their modes and contents, submodules by their commit.
 * @returns 64 hexadecimal digits; null if the object is not in this repository
 */
export async function hashOfCode(
  repository: CodeRepository,
  recorded: RecordedCode,
  counts: CountsAsCode,
): Promise<string | null> {
  const files = (await filesOfCode(repository, recorded))?.filter(({ path, isSubmodule }) => counts(path, isSubmodule))
  if (!files) return null
  return createHash('sha256')
    .update(files.map(({ content, path }) => `${content}\t${path}\0`).join(''))
    .digest('hex')
}

/** A submodule counts by its commit, also if `.gitmodules` says that its changes are not to be shown. */
const everySubmodule = '--ignore-submodules=none'

/**
 * The files that count and differ between two recorded states, relative to the project; null if one of them is not in
 * this repository.
 */
export async function changedCode(
  { git, prefix }: CodeRepository,
  one: RecordedCode,
  other: RecordedCode,
  counts: CountsAsCode,
): Promise<string[] | null> {
  const [before, after] = [one.tree ?? one.commit, other.tree ?? other.commit]
  if (before === after) return []
  const list = await unlessMissing(
    git.run('diff-tree', '-r', '-z', '--raw', '--no-renames', everySubmodule, before, after),
  )
  if (list === null) return null
  const entries = list.split('\0')
  const paths: string[] = []
  // Each is `:MODE MODE ID ID STATUS`, and then a path.
  for (let at = 0; at + 1 < entries.length; at += 2) {
    const path = inProject(prefix, entries[at + 1]!)
    if (counts(path, /\b160000 /.test(entries[at]!))) paths.push(path)
  }
  return paths
}

/** How the code in the tree of a project differs from what a run recorded. */
export interface TreeDifference {
  readonly state: TreeState
  /** Null if no difference was found, but git could not look everywhere. */
  readonly changed: boolean | null
  /** The files and submodules that are known to differ, relative to the project. */
  readonly files: readonly string[]
}

/**
 * Compares the code in the tree of a project, submodules included, with what a run recorded. Files that git does not track
 * in a submodule do not count: what is recorded of it is a commit.
 * @param projectRoot absolute
 * @param storagePath absolute folder of the run, whose files never count
 * @throws UserError if there is no repository any more
 */
export async function differenceOfTree(
  projectRoot: string,
  storagePath: string,
  recorded: RecordedCode,
  counts: CountsAsCode,
): Promise<TreeDifference> {
  const state = await inspectTree(projectRoot, [storagePath], 'files')
  const { head, prefix } = state
  const present = recorded.tree === null ? null : await workingTree(state)
  if (present === null) {
    // Only changes that are too large to have been recorded have no tree.
    const files = state.changes.map(({ path }) => inProject(prefix, path)).filter(path => counts(path))
    if (recorded.tree !== null || files.length > 0) return { state, changed: true, files }
  }
  const submodules = (await otherSubmodules(state, recorded.tree ?? recorded.commit))
    .map(each => ({ ...each, path: inProject(prefix, each.path) }))
    .filter(({ path, difference }) => difference !== null && counts(path, true))
  const isOwn = (path: string) => `${resolve(projectRoot, path)}/`.startsWith(`${storagePath}/`)
  const changed = await changedCode(state, recorded, { commit: head, tree: present }, counts)
  const known = submodules.filter(({ isKnown }) => isKnown).map(({ path }) => path)
  const files = [...new Set([...known, ...(changed ?? []).filter(path => !isOwn(path))])]
  if (changed === null || files.length > 0) return { state, changed: true, files }
  return { state, changed: submodules.length > 0 ? null : false, files }
}

/** How many milliseconds are spent on reading the times of files at the end of a run. */
const timesTime = 1_000

/**
 * The files of recorded code that count and, by their times, were written, replaced or renamed in a period, as far as one
 * second reaches. They may be the same again.
 * @param projectRoot absolute
 * @param since milliseconds since the epoch, as is `until`
 */
export async function writtenBetween(
  projectRoot: string,
  repository: CodeRepository,
  recorded: RecordedCode,
  counts: CountsAsCode,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<string[]> {
  const files = (await filesOfCode(repository, recorded)) ?? []
  const end = performance.now() + timesTime
  const isWritten = (path: string) => timesOf(join(projectRoot, path)).some(time => time > since && time <= until)
  const written = files.filter(({ path, isSubmodule }) => !isSubmodule && performance.now() <= end && isWritten(path))
  return written.flatMap(({ path }) => (counts(path) ? [path] : []))
}

/** Whether one of some files of a project is there and was last written before a time, in milliseconds since the epoch. */
export function isWrittenBefore(projectRoot: string, files: readonly string[], time: number): boolean {
  const times = files.map(path => timesOf(join(projectRoot, path)))
  return times.some(each => each.length > 0 && Math.max(...each) <= time)
}

/** When a file was written, and when it was last written, renamed or the like; none if it is not there. */
function timesOf(path: string): number[] {
  try {
    const { mtimeMs, ctimeMs } = lstatSync(path)
    return [mtimeMs, ctimeMs]
  } catch {
    return []
  }
}

/** A path of the repository, relative to the project. @param prefix see {@link TreeState} */
export function inProject(prefix: string, path: string): string {
  return prefix === '' ? path : relative(`/${prefix}`, `/${path}`)
}

/** Null for what git does not find. */
async function unlessMissing(output: Promise<string>): Promise<string | null> {
  try {
    return await output
  } catch (error) {
    if (error instanceof GitError) return null
    throw error
  }
}

/**
 * The diff of a file to a commit; empty if there is none, or if the commit is not in this repository.
 * @param path of the file, absolute or relative to the project
 */
export async function changesSince(projectRoot: string, commit: string, path: string): Promise<string> {
  const git = openGit(projectRoot)
  try {
    return await git.run('diff', '--no-color', '--no-ext-diff', '--no-textconv', commit, '--', path)
  } catch (error) {
    if (error instanceof GitError) return ''
    throw error
  }
}

/** At most this many files are named in one command. */
const filesAtOnce = 500

/**
 * The diff of files between two recorded states, both of which are in the repository.
 * @param files relative to the project
 */
export function diffOfCode(
  repository: CodeRepository,
  one: RecordedCode,
  other: RecordedCode,
  files: readonly string[],
): Promise<string> {
  return diff(repository, one, other, files, ['--patch'])
}

/** How many lines of a file were added and removed; null for one that is not text. */
export interface ChangedLines {
  /** Relative to the project. */
  readonly path: string
  readonly added: number | null
  readonly removed: number | null
}

/** The same as {@link diffOfCode}, in numbers. */
export async function changedLines(
  repository: CodeRepository,
  one: RecordedCode,
  other: RecordedCode,
  files: readonly string[],
): Promise<ChangedLines[]> {
  const entries = (await diff(repository, one, other, files, ['--numstat', '-z'])).split('\0').slice(0, -1)
  const count = (text: string) => (text === '-' ? null : Number(text))
  const lines = entries.map(entry => {
    const [added = '', removed = '', ...path] = entry.split('\t')
    return { path: inProject(repository.prefix, path.join('\t')), added: count(added), removed: count(removed) }
  })
  const wanted = new Set(files)
  return lines.filter(({ path }) => wanted.has(path))
}

async function diff(
  { git, prefix }: CodeRepository,
  one: RecordedCode,
  other: RecordedCode,
  files: readonly string[],
  format: readonly string[],
): Promise<string> {
  const [before, after] = [one.tree ?? one.commit, other.tree ?? other.commit]
  const options = [...format, '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', everySubmodule]
  const places = [...new Set(files)].map(file => placeOf(join(prefix, file)))
  const parts: string[] = []
  for (let at = 0; at < places.length; at += filesAtOnce) {
    parts.push(await git.run('diff', ...options, before, after, '--', ...places.slice(at, at + filesAtOnce)))
  }
  return parts.join('')
}

/**
 * The pathspec of a file. A name that is not UTF-8 cannot be given to git as it is: in its place stands a pattern, which
 * hardly fits anything else.
 */
function placeOf(path: string): string {
  if (!path.includes('\uFFFD')) return `:(top,literal)${path}`
  return `:(top,glob)${path.replace(/[*?[\]\\]/g, '\\$&').replaceAll('\uFFFD', '[^ -~]*')}`
}

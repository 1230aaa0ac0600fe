import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTemporaryFolder } from '../system/temporary-folder.js'
import { type Git, GitError, withoutHooks } from './git.js'

/** What a file is to hold: a text of its own, or more than it holds so far. */
export type FileChange = { readonly text: string } | { readonly extend: (text: string) => string }

/**
 * Commits changes of files on top of HEAD, whatever else is staged or changed: that stays as it is.
 * @param files by path, relative to git's folder
 * @returns the abbreviated id of the commit
 */
export async function commitOnly(
  git: Git,
  message: string,
  files: Readonly<Record<string, FileChange>>,
): Promise<string> {
  return inTemporaryFolder(folder => commitFrom(folder, git, message, files))
}

async function commitFrom(
  folder: string,
  git: Git,
  message: string,
  files: Readonly<Record<string, FileChange>>,
): Promise<string> {
  const index = join(folder, 'index')
  /** The entry of an index for a file, made from what a revision (`HEAD`, or nothing for the index) has of it. */
  const entryOf = async (path: string, change: FileChange, revision: string) => {
    const source = join(folder, 'blob')
    writeFileSync(source, 'text' in change ? change.text : change.extend(await textOf(git, `${revision}:./${path}`)))
    const blob = (await git.run('hash-object', '-w', '--no-filters', source)).trim()
    return ['update-index', '--add', '--cacheinfo', `100644,${blob},${prefix}${path}`]
  }
  const prefix = (await git.run('rev-parse', '--show-prefix')).trim()
  const head = (await textFrom(git, 'rev-parse', '--verify', '--quiet', 'HEAD')).trim()
  if (head !== '') await git.runWithIndex(index, 'read-tree', head)
  for (const [path, change] of Object.entries(files)) {
    await git.runWithIndex(index, ...(await entryOf(path, change, 'HEAD')))
  }
  const tree = (await git.runWithIndex(index, 'write-tree')).trim()
  const parent = head === '' ? [] : ['-p', head]
  const commit = (await git.run('commit-tree', tree, ...parent, '-m', message)).trim()
  await git.run(...withoutHooks, 'update-ref', '-m', `commit: ${message}`, 'HEAD', commit, head)
  for (const [path, change] of Object.entries(files)) await git.run(...(await entryOf(path, change, '')))
  return commit.slice(0, 7)
}

/** A file of a revision; empty where there is none. */
function textOf(git: Git, name: string): Promise<string> {
  return textFrom(git, 'show', name)
}

async function textFrom(git: Git, ...args: string[]): Promise<string> {
  try {
    return await git.run(...args)
  } catch (error) {
    if (error instanceof GitError) return ''
    throw error
  }
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTemporaryFolder } from '../system/temporary-folder.js'
import { type Git, GitError, withoutHooks } from './git.js'

/** The new content of a file: a text, or a function that extends the old text. */
export type FileChange = { readonly text: string } | { readonly extend: (text: string) => string }

/**
 * Commits changes of the given files on top of HEAD; anything else that is staged or changed stays as it is.
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
  /** The command that makes the index entries of all files, from their contents in a revision (`HEAD`, or empty for the index). */
  const entries = async (revision: string) => {
    const sources: string[] = []
    for (const [path, change] of Object.entries(files)) {
      const source = join(folder, `blob_${sources.length}`)
      writeFileSync(source, 'text' in change ? change.text : change.extend(await textOf(git, `${revision}:./${path}`)))
      sources.push(source)
    }
    const blobs = (await git.run('hash-object', '-w', '--no-filters', ...sources)).trim().split('\n')
    const added = Object.keys(files).flatMap((path, at) => ['--cacheinfo', `100644,${blobs[at]},${prefix}${path}`])
    return ['update-index', '--add', ...added]
  }
  const prefix = (await git.run('rev-parse', '--show-prefix')).trim()
  const head = (await textFrom(git, 'rev-parse', '--verify', '--quiet', 'HEAD')).trim()
  if (head !== '') await git.runWithIndex(index, 'read-tree', head)
  await git.runWithIndex(index, ...(await entries('HEAD')))
  const tree = (await git.runWithIndex(index, 'write-tree')).trim()
  const parent = head === '' ? [] : ['-p', head]
  const commit = (await git.run('commit-tree', tree, ...parent, '-m', message)).trim()
  await git.run(...withoutHooks, 'update-ref', '-m', `commit: ${message}`, 'HEAD', commit, head)
  await git.run(...(await entries('')))
  return commit.slice(0, 7)
}

/** The text of a file in a revision; empty if there is none. */
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

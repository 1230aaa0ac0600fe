import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { digestOfFile } from '../system/digest.js'
import { isFile } from '../system/files.js'
import { inTemporaryFolder } from '../system/temporary-folder.js'
import { type Git, GitError, openGit } from './git.js'
import { withIndexCopy } from './index-copy.js'

/** The current state of a script, independent of any run. */
export interface ScriptState {
  /** The last commit of its repository that changed it; null if no commit of this branch contains it. */
  readonly commit: string | null
  /** Its uncommitted changes, as a patch for `git apply`; null if there are none, or if git ignores the script. */
  readonly patch: Buffer | null
  /** Digest of its content; null for a folder. */
  readonly content: string | null
}

/** Digest of the content of a script; null if there is none, and for a folder. @param path absolute */
export async function contentOfScript(path: string): Promise<string | null> {
  return isFile(path) ? digestOfFile(path) : null
}

/** Finds the last commit of a script and its uncommitted changes. @param path absolute */
export async function scriptState(path: string): Promise<ScriptState> {
  const file = realpathSync(path)
  const content = await contentOfScript(file)
  const git = openGit(dirname(file))
  try {
    const gitRoot = realpathSync((await git.run('rev-parse', '--show-toplevel')).trim())
    const place = `:(top,literal)${relative(gitRoot, file)}`
    const commit = (await git.run('log', '-1', '--format=%H', 'HEAD', '--', place)).trim() || null
    return { commit, patch: await patchOf(git, dirname(file), place), content }
  } catch (error) {
    if (error instanceof GitError) return { commit: null, patch: null, content }
    throw error
  }
}

/** Git writes the patch to a file, since text need not be UTF-8. */
async function patchOf(git: Git, folder: string, place: string): Promise<Buffer | null> {
  return withIndexCopy(git, folder, index =>
    inTemporaryFolder(async temporary => {
      const file = join(temporary, 'patch')
      // Git refuses a file that is ignored.
      const isTaken = await git.runWithIndex(index, 'add', '--', place).then(() => true, isGitError)
      if (!isTaken) return null
      await git.runWithIndex(
        index,
        'diff',
        '--cached',
        '--binary',
        '--full-index',
        ...plain,
        `--output=${file}`,
        'HEAD',
        '--',
        place,
      )
      const patch = readFileSync(file)
      return patch.length > 0 ? patch : null
    }),
  )
}

/** Options that override the user's settings for diffs. */
const plain = ['--no-color', '--no-ext-diff', '--no-textconv']

function isGitError(error: unknown): false {
  if (error instanceof GitError) return false
  throw error
}

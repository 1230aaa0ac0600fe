import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { digestOfFile } from '../system/digest.js'
import { inTemporaryFolder } from '../system/temporary-folder.js'
import { type Git, GitError, openGit } from './git.js'
import { withIndexCopy } from './index-copy.js'

/** A script as it is now, apart from any run. */
export interface ScriptState {
  /** The last commit that changed it, in the repository that it lies in; null where no commit of this branch has it. */
  readonly commit: string | null
  /** What it has beyond that commit, as `git apply` takes it; null where nothing, or where git ignores the script. */
  readonly patch: Buffer | null
  /** Digest of its content. */
  readonly content: string
}

/** Which commit a script is of, and what of it is not committed. @param path absolute */
export async function scriptState(path: string): Promise<ScriptState> {
  const content = await digestOfFile(path)
  const file = realpathSync(path)
  const git = await openGit(dirname(file))
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

/** Git writes the patch to a file, since texts need not be UTF-8. */
async function patchOf(git: Git, folder: string, place: string): Promise<Buffer | null> {
  return withIndexCopy(git, folder, index =>
    inTemporaryFolder(async temporary => {
      const file = join(temporary, 'patch')
      // Git refuses a file that .gitignore names.
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

/** Without what the user's settings would do to a diff. */
const plain = ['--no-color', '--no-ext-diff', '--no-textconv']

function isGitError(error: unknown): false {
  if (error instanceof GitError) return false
  throw error
}

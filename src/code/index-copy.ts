import { copyFileSync, existsSync, statSync, utimesSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inTemporaryFolder } from '../system/temporary-folder.js'
import type { Git } from './git.js'

/** So many files are named in one command at most. */
const filesAtOnce = 1_000

/**
 * Does work on a copy of a repository's index, so that what the user has staged stays as it is.
 * @param folder where git runs, absolute
 * @param work gets the path of the copy
 * @param hidden files that git was told not to look at, relative to the repository's root; with the copy it looks at them
 */
export async function withIndexCopy<Result>(
  git: Git,
  folder: string,
  work: (index: string) => Promise<Result>,
  hidden: readonly string[] = [],
): Promise<Result> {
  return inTemporaryFolder(async temporary => {
    const copy = join(temporary, 'index')
    const places = await git.run('rev-parse', '--git-path', 'index', '--show-cdup')
    const [index = '', toRoot = ''] = places.split('\n')
    const own = resolve(folder, index)
    if (existsSync(own)) {
      const time = Math.floor(statSync(own).mtimeMs / 1000)
      copyFileSync(own, copy)
      // Git reads a file again that was written when the index was, or later: its size and time may be as before.
      utimesSync(copy, time, time)
    }
    for (let at = 0; at < hidden.length; at += filesAtOnce) {
      // Git takes only one of these options at a time.
      for (const option of ['--no-skip-worktree', '--no-assume-unchanged']) {
        const files = hidden.slice(at, at + filesAtOnce)
        await git.runWithIndex(copy, '-C', toRoot || '.', 'update-index', option, '--', ...files)
      }
    }
    return work(copy)
  })
}

import { copyFileSync, existsSync, statSync, utimesSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inTemporaryFolder } from '../system/temporary-folder.js'
import type { Git } from './git.js'

/**
 * Does work on a copy of a repository's index, so that what the user has staged stays as it is.
 * @param folder where git runs, absolute
 * @param work gets the path of the copy
 */
export async function withIndexCopy<Result>(
  git: Git,
  folder: string,
  work: (index: string) => Promise<Result>,
): Promise<Result> {
  return inTemporaryFolder(async temporary => {
    const copy = join(temporary, 'index')
    const own = resolve(folder, (await git.run('rev-parse', '--git-path', 'index')).trim())
    if (existsSync(own)) {
      const time = Math.floor(statSync(own).mtimeMs / 1000)
      copyFileSync(own, copy)
      // Git reads a file again that was written when the index was, or later: its size and time may be as before.
      utimesSync(copy, time, time)
    }
    return work(copy)
  })
}

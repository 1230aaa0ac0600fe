import { copyFileSync, existsSync, statSync, utimesSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inTemporaryFolder } from '../system/temporary-folder.js'
import { type Git, GitError } from './git.js'

/** The names in one command have at most this many characters together. Systems allow a million bytes or more. */
const charactersAtOnce = 200_000

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
    for (const files of portions(hidden)) {
      // Git takes only one of these options at a time.
      for (const option of ['--no-skip-worktree', '--no-assume-unchanged']) {
        await git.runWithIndex(copy, '-C', toRoot || '.', 'update-index', option, '--', ...files)
      }
    }
    return work(copy)
  })
}

/**
 * Adds to an index all that git does not ignore. Git adds nothing at all if it cannot look at a submodule: then the rest is
 * added without the submodules, which stay at the commits that are in the index.
 * @param run runs git with that index
 * @param options.update whether files that git does not track are left out
 * @param options.excluded paths that are left out; relative to the repository's root
 */
export async function addTree(
  submodules: readonly string[],
  run: Git['run'],
  { update = false, excluded = [] }: { readonly update?: boolean; readonly excluded?: readonly string[] } = {},
): Promise<void> {
  const add = (left: readonly string[]) =>
    run('add', update ? '--update' : '--all', '--', ':/', ...left.map(path => `:(exclude,top,literal)${path}`))
  try {
    await add(excluded)
  } catch (error) {
    if (!(error instanceof GitError) || submodules.length === 0) throw error
    await add([...excluded, ...submodules])
  }
}

/** As few portions as commands can take, since git writes the whole index for each. */
function portions(paths: readonly string[]): string[][] {
  const all: string[][] = []
  let room = 0
  for (const path of paths) {
    if (path.length > room) {
      all.push([])
      room = charactersAtOnce
    }
    all.at(-1)!.push(path)
    // A command needs some bytes for each name, too.
    room -= path.length + 10
  }
  return all
}

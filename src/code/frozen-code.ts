import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { OperationError } from '../errors.js'
import type { Project } from '../project/find-project.js'
import { faultPoint } from '../system/fault-point.js'
import { withLock } from '../system/lock.js'
import { type Git, GitError, openGit, withoutHooks } from './git.js'
import { ignoredPaths, linkTo } from './ignored-paths.js'
import type { TreeState } from './tree-state.js'

/** A checkout of one commit, shared by all runs of it. */
export interface FrozenCode {
  /** Relative to the project's root. */
  readonly folder: string
  /** The project's root inside it, absolute: where groups run. */
  readonly workingDirectory: string
  /** Ignored paths that are links to the project's own, relative to the repository's root. */
  readonly links: readonly string[]
}

/**
 * Makes sure that the frozen copy of a commit is there, as the commit has it, and renews its links to ignored paths.
 * @param name of its folder in the cache
 */
export async function freezeCode(
  project: Project,
  state: TreeState,
  commit: string,
  name: string,
  resultDir: string,
): Promise<FrozenCode> {
  const folder = join(project.cacheFolder, name)
  mkdirSync(project.cacheFolder, { recursive: true })
  return withLock(join(project.cacheFolder, '.lock'), async () => {
    const [links] = await Promise.all([ignoredPaths(state, resultDir), provide(state, commit, folder)])
    for (const path of links) linkTo(join(state.gitRoot, path), folder, path)
    // Somebody who cleans the cache sees that it is in use before there is a run that says so.
    faultPoint('copy-linked')
    const now = new Date()
    utimesSync(folder, now, now)
    return { folder: relative(project.root, folder), workingDirectory: join(folder, state.prefix), links }
  })
}

async function provide(state: TreeState, commit: string, folder: string): Promise<void> {
  if (existsSync(folder)) {
    if (await restore(folder, commit)) return
    // The project was moved: its worktrees are registered under their former paths.
    await state.git.run('worktree', 'repair', folder).catch(ignoreGitError)
    if (await restore(folder, commit)) return
    renameSync(folder, temporaryName(folder))
  }
  await checkOut(state, commit, folder)
}

/**
 * Removes a frozen copy, its links but not what they lead to, and what git knows of it. The caller holds the lock.
 * @param gitRoot of the repository that it is a copy of, absolute
 */
export async function removeFrozenCode(gitRoot: string, folder: string): Promise<void> {
  const sources = await sourcesOf(gitRoot, folder)
  // Git may know it under another path: the project was moved, or a crash came before git was told of its place.
  for (const { source, worktree } of sources) {
    const git = await openGit(source)
    await git.run('worktree', 'repair', worktree).catch(ignoreGitError)
    await git.run('worktree', 'unlock', worktree).catch(ignoreGitError)
  }
  rmSync(folder, { recursive: true, force: true })
  faultPoint('copy-removed')
  for (const { source } of sources) await (await openGit(source)).run('worktree', 'prune')
}

/** The repositories that a copy is made of, each with its folder in the copy. */
async function sourcesOf(source: string, worktree: string): Promise<{ source: string; worktree: string }[]> {
  const submodules = (await submodulesOf(worktree).catch(() => [])).filter(({ path }) =>
    existsSync(join(source, path, '.git')),
  )
  const nested = await Promise.all(submodules.map(({ path }) => sourcesOf(join(source, path), join(worktree, path))))
  return [{ source, worktree }, ...nested.flat()]
}

/** Made beside its place and moved there, so that a copy is whole or not there. */
async function checkOut({ git, gitRoot }: TreeState, commit: string, folder: string): Promise<void> {
  const temporary = temporaryName(folder)
  // What git still knows of a copy in this place that is gone would be taken for the new one.
  await git.run('worktree', 'prune')
  try {
    await addWorktree(git, temporary, commit)
    await addSubmodules(gitRoot, temporary)
    faultPoint('copy-made')
    renameSync(temporary, folder)
    faultPoint('copy-in-place')
  } catch (error) {
    await git.run('worktree', 'remove', '--force', '--force', temporary).catch(ignoreGitError)
    rmSync(temporary, { recursive: true, force: true })
    throw error
  }
  for (const { source, worktree } of await sourcesOf(gitRoot, folder)) {
    await (await openGit(source)).run('worktree', 'repair', worktree)
  }
}

function temporaryName(folder: string): string {
  return join(folder, '..', `.${basename(folder)}-${randomBytes(4).toString('hex')}`)
}

function ignoreGitError(error: unknown): void {
  if (!(error instanceof GitError)) throw error
}

async function addWorktree(git: Git, folder: string, commit: string): Promise<void> {
  // Without a --reason, which git 2.30 does not know here.
  await git.run(...withoutHooks, 'worktree', 'add', '--quiet', '--detach', '--lock', folder, commit)
}

/** Submodules come from what is here: those that are not initialised in the project stay empty. */
async function addSubmodules(source: string, folder: string): Promise<void> {
  for (const { path, commit } of await submodulesOf(folder)) {
    if (!existsSync(join(source, path, '.git'))) continue
    const submodule = await openGit(join(source, path))
    await addWorktree(submodule, join(folder, path), commit).catch(error => {
      ignoreGitError(error)
      throw new OperationError(
        `submodule ${path} has no commit ${commit} here`,
        'git submodule update --init --recursive',
      )
    })
    await addSubmodules(join(source, path), join(folder, path))
  }
}

async function submodulesOf(folder: string): Promise<{ path: string; commit: string }[]> {
  if (!existsSync(join(folder, '.gitmodules'))) return []
  const git = await openGit(folder)
  const entries = (await git.run('ls-files', '--stage', '-z')).split('\0').filter(entry => entry.startsWith('160000 '))
  return entries.map(entry => {
    const [, commit, path] = /^160000 (\S+) \d\t(.*)$/s.exec(entry)!
    return { path: path!, commit: commit! }
  })
}

/**
 * Makes a copy as its commit has it again, since a script may have written over the code that it ran from.
 * @returns false for a folder that is no checkout of its own any more: git would work on what is around it
 */
async function restore(folder: string, commit: string): Promise<boolean> {
  const git = await openGit(folder)
  const [place, status] = await Promise.allSettled([
    git.run('rev-parse', '--show-toplevel', 'HEAD'),
    git.run('status', '--porcelain', '--untracked-files=no', '--ignore-submodules=all'),
  ])
  if (place.status === 'rejected') {
    ignoreGitError(place.reason)
    return false
  }
  const [topLevel, head] = place.value.split('\n')
  if (topLevel !== realpathSync(folder)) return false
  if (status.status === 'rejected') throw status.reason
  if (head !== commit || status.value !== '') await git.run(...withoutHooks, 'reset', '--quiet', '--hard', commit)
  for (const submodule of await submodulesOf(folder)) {
    const path = join(folder, submodule.path)
    if (existsSync(join(path, '.git')) && !(await restore(path, submodule.commit))) return false
  }
  return true
}

import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { OperationError } from '../errors.js'
import type { Project } from '../project/find-project.js'
import { GitError, openGit, withoutHooks } from '../system/git.js'
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
  const [links] = await Promise.all([
    ignoredPaths(state, resultDir),
    existsSync(folder) ? restore(folder) : checkOut(project.cacheFolder, state, commit, folder),
  ])
  for (const path of links) link(join(state.gitRoot, path), join(folder, path))
  return { folder: relative(project.root, folder), workingDirectory: join(folder, state.prefix), links }
}

/** Made beside its place and moved there, so that a copy is whole or not there; another launch may be faster. */
async function checkOut(
  cacheFolder: string,
  { git, gitRoot }: TreeState,
  commit: string,
  folder: string,
): Promise<void> {
  const temporary = join(cacheFolder, `.${basename(folder)}-${randomBytes(4).toString('hex')}`)
  await addWorktree(git.run, temporary, commit)
  await addSubmodules(gitRoot, temporary)
  try {
    renameSync(temporary, folder)
  } catch (error) {
    await git.run('worktree', 'remove', '--force', '--force', temporary)
    if (!existsSync(folder)) throw error
    return
  }
  await git.run('worktree', 'repair', folder)
}

async function addWorktree(run: (...args: string[]) => Promise<string>, folder: string, commit: string): Promise<void> {
  await run(
    ...withoutHooks,
    'worktree',
    'add',
    '--quiet',
    '--detach',
    '--lock',
    '--reason',
    'frozen by Qanat',
    folder,
    commit,
  )
}

/** Submodules come from what is here: those that are not initialised in the project stay empty. */
async function addSubmodules(source: string, folder: string): Promise<void> {
  if (!existsSync(join(folder, '.gitmodules'))) return
  const git = await openGit(folder)
  const entries = (await git.run('ls-files', '--stage', '-z')).split('\0').filter(entry => entry.startsWith('160000 '))
  for (const entry of entries) {
    const [, commit, path] = /^160000 (\S+) \d\t(.*)$/s.exec(entry)!
    if (!existsSync(join(source, path!, '.git'))) continue
    const submodule = await openGit(join(source, path!))
    await addWorktree(submodule.run, join(folder, path!), commit!).catch(error => {
      if (!(error instanceof GitError)) throw error
      throw new OperationError(
        `submodule ${path} has no commit ${commit} here`,
        'git submodule update --init --recursive',
      )
    })
    await addSubmodules(join(source, path!), join(folder, path!))
  }
}

/** A script may have written over the code that it ran from: what is recorded is what runs. */
async function restore(folder: string): Promise<void> {
  const git = await openGit(folder)
  const changes = await git.run('status', '--porcelain', '--untracked-files=no', '--ignore-submodules=all')
  if (changes !== '') await git.run(...withoutHooks, 'reset', '--quiet', '--hard', 'HEAD')
}

async function ignoredPaths({ gitRoot, prefix }: TreeState, resultDir: string): Promise<string[]> {
  const git = await openGit(gitRoot)
  const listed = await git.run('ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z')
  const own = [join(prefix, '.qanat'), join(prefix, resultDir)]
  const paths: string[] = []
  for (const path of listed.split('\0').map(entry => entry.replace(/\/$/, ''))) {
    if (path === '' || path === '.' || own.some(ours => isWithin(path, ours)) || /(^|\/)__pycache__(\/|$)/.test(path))
      continue
    // What lies in a folder that is linked is reached through it.
    if (!paths.some(linked => isWithin(path, linked))) paths.push(path)
  }
  return paths
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

function link(target: string, path: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there?.isSymbolicLink() && readlinkSync(path) === target) return
  // What a script has made there itself is left alone.
  if (there && !there.isSymbolicLink()) return
  if (there) rmSync(path)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

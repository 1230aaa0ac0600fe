import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { quoteWord } from '../../domain/text/shell-text.js'
import { OperationError } from '../../errors.js'
import { faultPoint } from '../../system/fault-point.js'
import { atomicWrite, realPath } from '../../system/files.js'
import { type Git, GitError, openGit, withoutHooks } from '../git.js'
import type { RunCode } from '../run-code.js'
import { submodulesOf, type TreeState } from '../tree-state.js'
import { fillFilteredFiles } from './filtered-files.js'
import { type Chosen, ignoredPaths, refuseWithoutLinks, temporaryName } from './ignored-paths.js'
import { type CopyState, copyState } from './left-behind.js'
import { linkIgnored } from './linked-paths.js'
import { dropOwn, readOwned } from './own-mark.js'
import { type OwnPlan, planOwn, provideOwn, warnOfOwn } from './own-paths.js'
import { takeTreeTimes } from './tree-times.js'

/** A checkout of one commit. */
export interface FrozenCode {
  /** Relative to the project's root. */
  readonly folder: string
  /** The project's root inside it, absolute: where groups run. */
  readonly workingDirectory: string
  /** Ignored paths of the tree to which it has links, relative to the repository's root. */
  readonly links: readonly string[]
}

/** The ignored paths of a tree as a copy has them. */
interface CopyPlan extends OwnPlan {
  /** Shared with the tree, relative to the repository's root. */
  readonly links: readonly string[]
}

/** The project whose code is frozen. */
export interface FrozenProject {
  /** Absolute. */
  readonly root: string
  /** Where its copy is to be, absolute. */
  readonly folder: string
  /**
   * Moves the files that scripts of another run have left in the copy to that run, and notes whether they changed its
   * code. Null if the copy belongs to the same run, whose groups continue with these files.
   * @returns true if nothing is left in the copy
   */
  readonly settle: ((state: CopyState) => boolean) | null
  /** Relative to the root; null if it is outside. */
  readonly resultDir: string | null
  /** See {@link Chosen}, but relative to the root. */
  readonly chosen: Chosen
}

/**
 * Makes the frozen copy of some code, or restores an existing one to the recorded code, and updates its links to ignored
 * paths. Call with the lock of the copies held, and keep it until a run is stored that uses this copy.
 * @param warn called if something is in the place of a link
 * @returns null if the existing copy contains files that scripts of other runs have left
 * @throws OperationError if a submodule lacks its commit
 */
export async function freezeCode(
  { root, folder, settle, resultDir, chosen }: FrozenProject,
  code: RunCode,
  warn: (message: string) => void,
): Promise<FrozenCode | null> {
  const { state, commit, patch } = code
  const recorded = patch?.commit ?? commit
  const [plan, isProvided] = await Promise.all([
    planCopy(state, commit, { folder, resultDir, chosen }),
    provide(state, recorded, folder, settle),
  ])
  if (!isProvided) return null
  await fillFilteredFiles(state, folder, commit === state.head)
  // What commands have made that are no longer in the config is not of this launch.
  if (chosen.prepare.length === 0 && settle !== null && readOwned(folder).prepared !== null) await dropOwn(folder)
  const made = await provideOwn(state.gitRoot, folder, plan, settle === null)
  if (made.cloned.length > 0) await takeTreeTimes(state, recorded, folder)
  warnOfOwn(plan, made, warn)
  await linkIgnored(state.gitRoot, folder, plan.links, warn)
  faultPoint('copy-linked')
  return { folder: relative(root, folder), workingDirectory: join(folder, state.prefix), links: plan.links }
}

/** What a copy of some code would share with the tree, and what it would have of its own. Nothing is made. */
export async function planCopy(
  state: TreeState,
  commit: string,
  { folder, resultDir, chosen }: Pick<FrozenProject, 'folder' | 'resultDir' | 'chosen'>,
): Promise<CopyPlan> {
  const inRepository = (path: string) => join(state.prefix, path)
  const results = resultDir === null ? null : inRepository(resultDir)
  const inProject = { ...chosen, link: chosen.link.map(inRepository), own: chosen.own.map(inRepository) }
  const ignored = await ignoredPaths(state, inProject, results)
  const plan = planOwn(state.gitRoot, dirname(folder), ignored, commit === state.head)
  const links = new Set([...ignored.links, ...plan.shared, ...(results === null ? [] : [results])])
  return { ...plan, links: [...links] }
}

/** @returns false if the copy holds files that scripts of other runs have left, or belongs to somebody else */
async function provide(
  state: TreeState,
  commit: string,
  folder: string,
  settle: FrozenProject['settle'],
): Promise<boolean> {
  if (existsSync(folder)) {
    if (isOfOthers(folder)) return false
    const found = await ownCopy(state.gitRoot, folder)
    if (found && settle && !settle(found)) return false
    if (found && (await restore(state.gitRoot, folder, commit, found))) return true
    renameSync(folder, `${folder}_lost_${randomBytes(4).toString('hex')}`)
  }
  refuseWithoutLinks(dirname(folder))
  await checkOut(state, commit, folder)
  return true
}

/** Whether somebody else has made what is in the place of a copy: ours are locked worktrees. @param folder absolute */
export function isOfOthers(folder: string): boolean {
  const registration = gitFolder(folder)
  return registration !== null && existsSync(registration) && !existsSync(join(registration, 'locked'))
}

/**
 * The state of a copy.
 * @param root any folder of the repository, absolute
 * @param folder of the copy, absolute
 * @returns null if it is not there, or no copy of ours
 */
export async function findCopy(root: string, folder: string): Promise<CopyState | null> {
  if (!existsSync(folder)) return null
  const topLevel = await openGit(root).run('rev-parse', '--show-toplevel')
  return ownCopy(topLevel.replace(/\n$/, ''), folder)
}

/** If the project was moved, its worktrees are still registered under their former paths. */
async function ownCopy(gitRoot: string, folder: string): Promise<CopyState | null> {
  return (await claimWorktrees(gitRoot, folder)).length > 0 ? copyState(folder) : null
}

/**
 * Removes a frozen copy and its registration as a worktree; links are removed, not their targets. Call with the lock of
 * the copies held.
 * @param gitRoot of the repository that it is a copy of, absolute
 */
export async function removeFrozenCode(gitRoot: string, folder: string): Promise<void> {
  // Git may have it registered under another path: the project was moved, or a crash came before git knew its path.
  const worktrees = await claimWorktrees(gitRoot, folder)
  rmSync(folder, { recursive: true, force: true })
  faultPoint('copy-removed')
  for (const { source, worktree } of worktrees) await forget(openGit(source), worktree)
}

/**
 * Removes one of our worktrees and its registration, if it has one. `worktree prune` would do the same, but also to
 * every worktree of the user that is not reachable at the moment.
 */
async function forget(git: Git, worktree: string): Promise<void> {
  await git.run('worktree', 'remove', '--force', '--force', worktree).catch(ignoreGitError)
}

/** A repository, or a submodule of one, and its folder in a copy. */
interface Worktree {
  readonly source: string
  readonly worktree: string
}

/**
 * Claims the worktrees of a copy for the repository and its submodules.
 * @param cache folder of the copies, absolute
 * @returns those that are ours
 */
async function claimWorktrees(source: string, worktree: string, cache = dirname(worktree)): Promise<Worktree[]> {
  if (!claimWorktree(source, worktree, realpathSync(cache))) return []
  const submodules = (await submodulesOf(worktree).catch(() => [])).filter(({ path }) =>
    existsSync(join(source, path, '.git')),
  )
  const nested = await Promise.all(
    submodules.map(({ path }) => claimWorktrees(join(source, path), join(worktree, path), cache)),
  )
  return [{ source, worktree }, ...nested.flat()]
}

/**
 * Makes our repository and the folder of a copy point to each other again. They no longer do so after the folder was
 * renamed or the project was moved; in a copied project, both still point to the original. `worktree repair` would mend
 * this, too, but for all worktrees at once: in a copied project it would take over the worktrees of the original.
 * @returns false if the folder is no worktree of our repository
 */
function claimWorktree(source: string, worktree: string, cache: string): boolean {
  const [repository, named] = [gitFolder(source), gitFolder(worktree)]
  if (repository === null || named === null) return false
  const entry = realPath(join(commonFolder(repository), 'worktrees', basename(named)))
  if (!existsSync(join(entry, 'gitdir'))) return false
  // The cache may be a link to another disk.
  const place = realpathSync(worktree)
  const registered = realPath(dirname(resolve(entry, readFileSync(join(entry, 'gitdir'), 'utf8').trimEnd())))
  if (registered !== place) {
    // A registration is changed only if it names a frozen copy, and if that copy is no longer at the registered path.
    const isCopy = registered.startsWith(`${cache}/`) || registered.includes('/.qanat/cache/')
    if (!isCopy || gitFolder(registered) === entry) return false
    atomicWrite(join(entry, 'gitdir'), `${join(place, '.git')}\n`)
  }
  if (named !== entry) atomicWrite(join(worktree, '.git'), `gitdir: ${entry}\n`)
  return true
}

/** The folder that `.git` of a checkout is or names, absolute; null if there is none. See gitrepository-layout(5). */
function gitFolder(checkout: string): string | null {
  const path = join(checkout, '.git')
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats || stats.isDirectory()) return stats ? realPath(path) : null
  const [, named] = /^gitdir: (.+?)\n*$/s.exec(readFileSync(path, 'utf8')) ?? []
  return named === undefined ? null : realPath(resolve(checkout, named))
}

/** The folder of a repository that its worktrees share. */
function commonFolder(repository: string): string {
  const shared = join(repository, 'commondir')
  return existsSync(shared) ? resolve(repository, readFileSync(shared, 'utf8').trimEnd()) : repository
}

/** Makes the copy under a temporary name and renames it, so that a copy is complete or missing. */
async function checkOut({ git, gitRoot }: TreeState, commit: string, folder: string): Promise<void> {
  const temporary = temporaryName(folder)
  // Otherwise git would reuse the stale registration of a deleted copy at this path.
  await forget(git, folder)
  try {
    await addWorktree(git, temporary, commit)
    await addSubmodules(gitRoot, temporary)
    faultPoint('copy-made')
    renameSync(temporary, folder)
    faultPoint('copy-in-place')
  } catch (error) {
    await forget(git, temporary)
    rmSync(temporary, { recursive: true, force: true })
    throw error
  }
  await claimWorktrees(gitRoot, folder)
}

function ignoreGitError(error: unknown): void {
  if (!(error instanceof GitError)) throw error
}

async function addWorktree(git: Git, folder: string, commit: string): Promise<void> {
  // Git 2.30 has no --reason here.
  await git.run(...withoutHooks, 'worktree', 'add', '--quiet', '--detach', '--lock', folder, commit)
}

/** Checks out submodules from those of the project; one that is not initialised there stays empty. */
async function addSubmodules(source: string, folder: string): Promise<void> {
  for (const { path, commit } of await submodulesOf(folder)) {
    if (!existsSync(join(source, path, '.git'))) continue
    const submodule = openGit(join(source, path))
    await addWorktree(submodule, join(folder, path), commit).catch(error => {
      ignoreGitError(error)
      const { message } = error as GitError
      const [problem, hint] = message.includes('invalid reference')
        ? [`has no commit ${commit} here`, 'git submodule update --init --recursive']
        : [`cannot be put into a frozen copy: ${message}`, `git -C ${quoteWord(join(source, path))} status`]
      throw new OperationError(`submodule ${path} ${problem}`, hint)
    })
    await addSubmodules(join(source, path), join(folder, path))
  }
}

/**
 * Resets a copy to its commit, since a script may have overwritten the code or checked out something else. No branch moves,
 * and new files stay, whether a script has staged or committed them or not.
 * @param source the repository or submodule that it is a copy of, absolute
 * @returns false if a submodule in it is no checkout, or no longer, although it is one in the project
 */
async function restore(source: string, folder: string, commit: string, found: CopyState): Promise<boolean> {
  const git = openGit(folder)
  if (found.head !== commit || found.isOnBranch)
    await git.run(...withoutHooks, 'update-ref', '--no-deref', 'HEAD', commit)
  if (found.head !== commit || found.changed) {
    await git.run('reset', '--quiet')
    await git.run(...withoutHooks, 'reset', '--quiet', '--hard')
  }
  for (const submodule of found.submodules) {
    const [from, path] = [join(source, submodule.path), join(folder, submodule.path)]
    if (!existsSync(join(from, '.git'))) continue
    // Without its .git file, git would work on the repository around it.
    const inside = existsSync(join(path, '.git')) ? await copyState(path, submodule.commit) : null
    if (!inside || !(await restore(from, path, submodule.commit, inside))) return false
  }
  return true
}

import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { UserError } from '../errors.js'
import { realPath } from '../system/files.js'
import { type Git, GitError, openGit } from './git.js'
import { withIndexCopy } from './index-copy.js'

/** A path that differs from the last commit. */
export interface TreeChange {
  /** Two letters as `git status --short` shows them. */
  readonly code: string
  /** Relative to the repository's root. */
  readonly path: string
}

/** The repository of a project, and the state of its tree. */
export interface TreeState {
  readonly git: Git
  /** Absolute. */
  readonly gitRoot: string
  /** The project's folder in the repository, with a slash at its end; empty at the root. */
  readonly prefix: string
  readonly head: string
  /**
   * Uncommitted changes that count. Changes under `.qanat/` and in uncounted files do not, nor do those of submodules,
   * unless a file is in the place of one.
   */
  readonly changes: readonly TreeChange[]
  /** Files that git was told not to look at; relative to the repository's root. Their changes count, too. */
  readonly hidden: readonly string[]
  /** Whether files may have attributes, such as filters of Git LFS: there is a file that sets some. */
  readonly hasAttributes: boolean
  /** Paths of submodules, whatever is there; relative to the repository's root. */
  readonly submodules: readonly string[]
  /**
   * The files of the last commit as `git ls-tree -r -z` lists them, which it need not be asked where nothing has changed
   * since; null if something has, and where there are submodules, whose changes git was not asked for.
   */
  readonly committed: string | null
}

/** Roots of the other worktrees of a repository, absolute and without links; no frozen copies. */
export async function otherWorktrees({ git, gitRoot }: TreeState): Promise<string[]> {
  const listed = await git.run('worktree', 'list', '--porcelain')
  const roots = listed.split('\n').flatMap(line => (line.startsWith('worktree ') ? realPath(line.slice(9)) : []))
  return roots.filter(root => root !== gitRoot && !root.includes('/.qanat/'))
}

/**
 * Reads the state of a project's tree. Nothing is read in submodules: git may be unable to.
 * @param uncounted absolute paths of files and folders whose changes do not count
 * @param listing whether an untracked folder is one entry, which is fast, or each of its files is
 * @throws UserError if there is no repository or no commit yet
 */
export async function inspectTree(
  projectRoot: string,
  uncounted: readonly string[] = [],
  listing: 'folders' | 'files' = 'folders',
): Promise<TreeState> {
  const lookWith = (untracked: 'normal' | 'all') =>
    look(projectRoot, [`--untracked-files=${untracked}`, '--ignore-submodules=all']).catch(explainRepository)
  const first = await lookWith(listing === 'files' ? 'all' : 'normal')
  const holdsUncounted = ({ path }: TreeChange) => {
    const folder = join(realPath(first.gitRoot), path, '/')
    return path.endsWith('/') && uncounted.some(each => each.startsWith(folder))
  }
  const found = first.changes.some(holdsUncounted) ? await lookWith('all') : first
  const { head, prefix } = found
  if (head === null) {
    throw new UserError(
      'the repository has no commit yet, and every run records its commit',
      "git add --all && git commit -m 'First commit'",
    )
  }
  const gitRoot = realpathSync(found.gitRoot)
  const ignored = [`${prefix}.qanat`, ...uncounted.map(path => relative(gitRoot, path))]
  const isCounted = (path: string) => !ignored.some(place => path === place || path.startsWith(`${place}/`))
  const submodules = found.submodules.filter(isCounted)
  // A link in the place of a submodule is how people use another checkout of it; a file is a change like others.
  const replaced = submodules.filter(path => kindOf(join(gitRoot, path)) === 'file')
  const changes = [
    ...found.changes.filter(({ path }) => isCounted(path)),
    ...replaced.map(path => ({ code: ' T', path })),
  ]
  return { ...found, gitRoot, head, changes, submodules }
}

/** Every change that a commit of everything would contain, each file by itself, also those that do not count. */
export async function allChanges({ git }: TreeState): Promise<TreeChange[]> {
  return readChanges(
    await git.run('status', '--porcelain=v2', '-z', '--untracked-files=all', '--ignore-submodules=dirty'),
  )
}

/** What git says of a checkout. */
interface Look extends Omit<TreeState, 'head'> {
  /** Null if there is no commit yet. */
  readonly head: string | null
}

/** @param options of `git status` */
async function look(folder: string, options: readonly string[]): Promise<Look> {
  const git = openGit(folder)
  const asked = ['status', '--porcelain=v2', '--branch', '-z', ...options]
  const [places, shown, list] = await Promise.all([
    git.run('rev-parse', '--show-toplevel', '--show-prefix', '--git-path', 'info/attributes'),
    git.run(...asked),
    git.run('ls-files', '-v', '--stage', '-z', '--full-name', '--', ':/'),
  ])
  const [gitRoot = '', prefix = '', attributes = ''] = places.split('\n')
  const { hidden, submodules } = readIndex(gitRoot, list)
  const files = [
    resolve(folder, attributes),
    join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git/attributes'),
  ]
  const hasAttributes = /[\t/]\.gitattributes\0/.test(list) || files.some(file => existsSync(file))
  const unhidden = () => withIndexCopy(git, folder, index => git.runWithIndex(index, ...asked), hidden)
  const status = hidden.length > 0 ? await unhidden() : shown
  const oid = /^# branch\.oid (\S+)/m.exec(status.replaceAll('\0', '\n'))?.[1] ?? '(initial)'
  const head = oid === '(initial)' ? null : oid
  const changes = readChanges(status)
  // One that was taken out of the index alone is not in `submodules`.
  const hasSubmodules = submodules.length > 0 || /[\t/]\.gitmodules\0/.test(list)
  const committed = !hasSubmodules && changes.length === 0 && hidden.length === 0 ? filesInIndex(list) : null
  return { git, gitRoot, prefix, head, changes, hidden, hasAttributes, submodules, committed }
}

/** The files of an index as `git ls-tree -r -z` would list them. @param list of `git ls-files -v --stage -z` */
function filesInIndex(list: string): string {
  return list.replace(/(?<=^|\0)\S (\d+) (\S+) 0\t/g, '$1 blob $2\t')
}

/**
 * The submodules of an index, and the files whose changes git does not show, since somebody has marked them as
 * `assume-unchanged` or `skip-worktree`. In a sparse checkout, git itself marks those that are not there.
 * @param list of `git ls-files -v --stage -z`
 */
function readIndex(gitRoot: string, list: string): Pick<TreeState, 'hidden' | 'submodules'> {
  const hidden: string[] = []
  const submodules = new Set<string>()
  for (const entry of list.split('\0')) {
    const mark = entry.charAt(0)
    const isSubmodule = entry.startsWith('160000 ', 2)
    if (!isSubmodule && !/[a-zS]/.test(mark)) continue
    const path = entry.slice(entry.indexOf('\t') + 1)
    // Git cannot be given a name that is not UTF-8.
    if (path.includes('\uFFFD')) continue
    if (/[sS]/.test(mark) && kindOf(join(gitRoot, path)) === 'nothing') continue
    if (isSubmodule) submodules.add(path)
    else hidden.push(path)
  }
  return { hidden, submodules: [...submodules] }
}

function explainRepository(error: unknown): never {
  if (error instanceof GitError && /not a git repository \(or any/.test(error.message)) {
    throw new UserError('the project is no longer in a git repository', "'git init' makes one, then commit your files")
  }
  throw error
}

/** Reads the entries of `git status --porcelain=v2 -z`, see git-status(1). */
export function readChanges(status: string): TreeChange[] {
  const changes: TreeChange[] = []
  const entries = status.split('\0')
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at]!
    const fieldsBeforePath = { '1': 8, '2': 9, u: 10, '?': 1, '!': 1 }[entry[0] ?? ''] ?? 0
    if (fieldsBeforePath === 0) continue
    const fields = entry.split(' ')
    const code = fieldsBeforePath === 1 ? entry[0]!.repeat(2) : fields[1]!.replaceAll('.', ' ')
    changes.push({ code, path: fields.slice(fieldsBeforePath).join(' ') })
    // A rename is followed by a further entry with the former path.
    if (entry.startsWith('2')) at++
  }
  return changes
}

/** What is in the place of a submodule. */
export interface SubmoduleState {
  /** Relative to the repository's root. */
  readonly path: string
  /** The commit in the recorded code. */
  readonly recorded: string
  /** How it differs from that commit, as a part of a sentence; null if it does not. */
  readonly difference: string | null
  /** Whether git could tell the difference. */
  readonly isKnown: boolean
  /** Whether it has a repository, from which a frozen copy gets the recorded commit. */
  readonly isCheckout: boolean
  /** What git shows as untracked, apart from caches of Python; relative to the submodule. */
  readonly untracked: readonly string[]
}

/** The submodules of a tree that differ from a recorded commit or tree, or hold more than it does. */
export async function otherSubmodules(state: TreeState, recorded: string): Promise<SubmoduleState[]> {
  const { git, gitRoot, submodules } = state
  if (submodules.length === 0) return []
  const entries = (await git.run('ls-tree', '-z', '--full-tree', recorded, '--', ...submodules)).split('\0')
  const wanted = entries.flatMap(entry => {
    const [, commit, path] = /^160000 commit (\S+)\t(.+)$/s.exec(entry) ?? []
    return path === undefined ? [] : [{ path, recorded: commit! }]
  })
  const found: SubmoduleState[] = []
  for (const each of wanted) {
    const isCheckout = existsSync(join(gitRoot, each.path, '.git'))
    const same = { ...each, difference: null, isKnown: true, isCheckout, untracked: [] }
    try {
      found.push({ ...same, ...(await differenceOf(state, each.path, each.recorded)) })
    } catch (error) {
      const [reason = ''] = (error as Error).message.replace(/^git [a-z-]+: /, '').split('\n', 1)
      found.push({ ...same, difference: `cannot be looked at (${reason})`, isKnown: false })
    }
  }
  return found.filter(({ difference, untracked }) => difference !== null || untracked.length > 0)
}

async function differenceOf(
  { git, gitRoot }: TreeState,
  path: string,
  recorded: string,
): Promise<Partial<SubmoduleState>> {
  const folder = join(gitRoot, path)
  const kind = kindOf(folder)
  if (kind === 'nothing') return { difference: 'is not there' }
  if (kind === 'link') return { difference: `is a link to ${readlinkSync(folder)}` }
  if (kind === 'file') return { difference: 'is a file' }
  if (!existsSync(join(folder, '.git'))) {
    // Git leaves an empty folder for a submodule that nobody has initialised.
    return { difference: readdirSync(folder).length > 0 ? 'holds files without being a checkout' : null }
  }
  const { head, changes } = await look(folder, ['--untracked-files=normal', '--ignore-submodules=untracked'])
  const isUntracked = ({ code }: TreeChange) => code === '??'
  const edited = changes.every(isUntracked) ? '' : ' with uncommitted changes'
  const difference =
    head === recorded && edited === '' ? null : `stands at ${head?.slice(0, 12) ?? 'no commit'}${edited}`
  const untracked = changes.filter(isUntracked).map(each => each.path)
  const left = untracked.filter(each => !/(^|\/)__pycache__\//.test(each))
  // Here git obeys the user's settings of what is shown of a submodule, such as `submodule.NAME.ignore`.
  const isShown = async () =>
    /^1 .. S..U /.test(await git.run('status', '--porcelain=v2', '--', `:(top,literal)${path}`))
  return { difference, untracked: left.length > 0 && (await isShown()) ? left : [] }
}

function kindOf(path: string): 'nothing' | 'folder' | 'link' | 'file' {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats) return 'nothing'
  return stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'file'
}

/** A repository inside another one, at the commit that is recorded there. */
export interface Nested {
  /** Relative to the repository around it. */
  readonly path: string
  readonly commit: string
}

/**
 * The submodules that code names, and other repositories in the place of files of it.
 * @param folder of a checkout
 * @param recorded a commit or tree
 */
export async function submodulesOf(folder: string, recorded = 'HEAD'): Promise<Nested[]> {
  const git = openGit(folder)
  // Without files, so that the list is short.
  const entries = (await git.run('ls-tree', '-r', '-d', '-z', '--full-tree', recorded)).split('\0')
  return entries.flatMap(entry => {
    const [, commit, path] = /^160000 commit (\S+)\t(.*)$/s.exec(entry) ?? []
    return path === undefined ? [] : [{ path, commit: commit! }]
  })
}

/** Those of a tree's nested repositories that are no submodules: nothing tells a clone where they come from. */
export async function strayRepositories({ git, gitRoot, submodules }: TreeState): Promise<string[]> {
  if (submodules.length === 0) return []
  const file = join(gitRoot, '.gitmodules')
  if (!existsSync(file)) return [...submodules]
  const listed = await git.run('config', '--null', '--file', file, '--get-regexp', '^submodule\\..*\\.path$')
  const known = new Set(listed.split('\0').map(entry => entry.slice(entry.indexOf('\n') + 1)))
  return submodules.filter(path => !known.has(path))
}

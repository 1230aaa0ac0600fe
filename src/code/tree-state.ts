import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { UserError } from '../errors.js'
import { type Git, GitError, openGit } from './git.js'
import { withIndexCopy } from './index-copy.js'

/** A path that differs from the last commit. */
export interface TreeChange {
  /** Two letters as `git status --short` shows them. */
  readonly code: string
  /** Relative to the repository's root. */
  readonly path: string
  /** Whether it is a submodule, which has moved or in which something has changed. */
  readonly isSubmodule: boolean
}

/** The repository of a project, and the state of its tree. */
export interface TreeState {
  readonly git: Git
  /** Absolute. */
  readonly gitRoot: string
  /** The project's folder in the repository, with a slash at its end; empty at the root. */
  readonly prefix: string
  readonly head: string
  /** Uncommitted changes that count: neither under `.qanat/` nor in uncounted files, and no submodules. */
  readonly changes: readonly TreeChange[]
  /** Files that git was told not to look at; relative to the repository's root. Their changes count, too. */
  readonly hidden: readonly string[]
  /** Paths of submodules that are not as the last commit has them; relative to the repository's root. */
  readonly submodules: readonly string[]
}

/**
 * Reads the state of a project's tree. Submodules that moved do not count as changes.
 * @param uncounted absolute paths of files and folders whose changes do not count
 * @throws UserError if there is no repository or no commit yet
 */
export async function inspectTree(projectRoot: string, uncounted: readonly string[] = []): Promise<TreeState> {
  const git = await openGit(projectRoot)
  // By default an untracked folder is one entry, which is fast; to find uncounted files in it, list all files.
  const untracked = `--untracked-files=${uncounted.length > 0 ? 'all' : 'normal'}`
  const asked = ['status', '--porcelain=v2', '--branch', '-z', untracked, '--ignore-submodules=none']
  const [places, shown, flags] = await Promise.all([
    git.run('rev-parse', '--show-toplevel', '--show-prefix').catch(explainRepository),
    git.run(...asked).catch(explainRepository),
    git.run('ls-files', '-v', '-z', '--full-name', '--', ':/').catch(explainRepository),
  ])
  const [gitRoot = '', prefix = ''] = places.split('\n')
  const hidden = hiddenFiles(gitRoot, flags)
  const unhidden = () => withIndexCopy(git, projectRoot, index => git.runWithIndex(index, ...asked), hidden)
  const status = hidden.length > 0 ? await unhidden() : shown
  const head = /^# branch\.oid (\S+)/m.exec(status.replaceAll('\0', '\n'))?.[1]
  if (!head || head === '(initial)') {
    throw new UserError(
      'the repository has no commit yet, and every run records its commit',
      "git add --all && git commit -m 'First commit'",
    )
  }
  const root = realpathSync(gitRoot)
  const ignored = [`${prefix}.qanat`, ...uncounted.map(path => relative(root, path))]
  const all = readChanges(status).filter(
    ({ path }) => !ignored.some(place => path === place || path.startsWith(`${place}/`)),
  )
  const changes = all.filter(({ isSubmodule }) => !isSubmodule)
  const submodules = all.filter(({ isSubmodule }) => isSubmodule).map(({ path }) => path)
  return { git, gitRoot: root, prefix, head, changes, hidden, submodules }
}

/**
 * Files whose changes git does not show, since somebody has marked them as `assume-unchanged` or `skip-worktree`. In a sparse
 * checkout, git itself marks those that are not there.
 * @param flags of `git ls-files -v -z`
 */
function hiddenFiles(gitRoot: string, flags: string): string[] {
  const marked = flags.match(/(?<=^|\0)[a-zS] [^\0]+/g) ?? []
  return marked.flatMap(entry => {
    const [mark, path] = [entry[0], entry.slice(2)]
    // Git cannot be given a name that is not UTF-8.
    if (path.includes('\uFFFD')) return []
    const isThere = mark === 'h' || lstatSync(join(gitRoot, path), { throwIfNoEntry: false }) !== undefined
    return isThere ? [path] : []
  })
}

function explainRepository(error: unknown): never {
  if (error instanceof GitError && /not a git repository/.test(error.message)) {
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
    const isSubmodule = fieldsBeforePath > 1 && fields[2]!.startsWith('S')
    changes.push({ code, path: fields.slice(fieldsBeforePath).join(' '), isSubmodule })
    // A rename is followed by a further entry with the former path.
    if (entry.startsWith('2')) at++
  }
  return changes
}

/** What a submodule of the tree is, where it is not what some recorded code says. */
export interface OtherSubmodule {
  /** Relative to the repository's root. */
  readonly path: string
  /** The commit in the recorded code. */
  readonly recorded: string
  /** The commit at which it stands; null if it is not there. */
  readonly commit: string | null
  /** Whether something in it is not committed, apart from caches of Python. */
  readonly isDirty: boolean
}

/** The submodules of a tree that are not as a recorded commit or tree says. */
export async function otherSubmodules(
  { git, gitRoot, submodules }: TreeState,
  recorded: string,
): Promise<OtherSubmodule[]> {
  const found = await Promise.all(
    submodules.map(async path => {
      const entry = await git.run('ls-tree', '-z', '--full-tree', recorded, '--', path)
      const [, wanted] = /^160000 commit (\S+)/.exec(entry) ?? []
      return wanted === undefined ? [] : [{ path, recorded: wanted, ...(await submoduleState(join(gitRoot, path))) }]
    }),
  )
  return found.flat().filter(({ recorded, commit, isDirty }) => isDirty || commit !== recorded)
}

async function submoduleState(folder: string): Promise<Pick<OtherSubmodule, 'commit' | 'isDirty'>> {
  if (!existsSync(join(folder, '.git'))) return { commit: null, isDirty: false }
  const git = await openGit(folder)
  const status = await git.run('status', '--porcelain=v2', '--branch', '-z', '--ignore-submodules=none')
  const commit = /^# branch\.oid (\S+)/m.exec(status.replaceAll('\0', '\n'))?.[1] ?? null
  return { commit, isDirty: readChanges(status).some(({ path }) => !/(^|\/)__pycache__\//.test(path)) }
}

/** The submodules of a checkout and the commits at which they stand in its index; paths are relative to it. */
export async function submodulesOf(folder: string): Promise<{ path: string; commit: string }[]> {
  if (!existsSync(join(folder, '.gitmodules'))) return []
  const git = await openGit(folder)
  const entries = (await git.run('ls-files', '--stage', '-z')).split('\0').filter(entry => entry.startsWith('160000 '))
  return entries.map(entry => {
    const [, commit, path] = /^160000 (\S+) \d\t(.*)$/s.exec(entry)!
    return { path: path!, commit: commit! }
  })
}

import { existsSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { UserError } from '../errors.js'
import { type Git, GitError, openGit } from './git.js'

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
  /** Uncommitted changes that count: neither under `.qanat/` nor in uncounted files. */
  readonly changes: readonly TreeChange[]
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
  const [places, status] = await Promise.all([
    git.run('rev-parse', '--show-toplevel', '--show-prefix').catch(explainRepository),
    git
      .run('status', '--porcelain=v2', '--branch', '-z', untracked, '--ignore-submodules=all')
      .catch(explainRepository),
  ])
  const [gitRoot = '', prefix = ''] = places.split('\n')
  const head = /^# branch\.oid (\S+)/m.exec(status.replaceAll('\0', '\n'))?.[1]
  if (!head || head === '(initial)') {
    throw new UserError(
      'the repository has no commit yet, and every run records its commit',
      "git add --all && git commit -m 'First commit'",
    )
  }
  const root = realpathSync(gitRoot)
  const ignored = [`${prefix}.qanat`, ...uncounted.map(path => relative(root, path))]
  const changes = readChanges(status).filter(
    ({ path }) => !ignored.some(place => path === place || path.startsWith(`${place}/`)),
  )
  return { git, gitRoot: root, prefix, head, changes }
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
    changes.push({ code, path: fields.slice(fieldsBeforePath).join(' ') })
    // A rename is followed by a further entry with the former path.
    if (entry.startsWith('2')) at++
  }
  return changes
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

import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
import { UserError } from '../errors.js'
import { type Git, GitError, openGit } from './git.js'

/** A path that differs from the last commit. */
export interface TreeChange {
  /** Two letters as `git status --short` shows them. */
  readonly code: string
  /** Relative to the repository's root. */
  readonly path: string
}

/** The repository that a project lies in, and how its tree stands. */
export interface TreeState {
  readonly git: Git
  /** Absolute. */
  readonly gitRoot: string
  /** The project's folder in the repository, with a slash at its end; empty at the root. */
  readonly prefix: string
  readonly head: string
  /** What is not committed and counts: neither under `.qanat/` nor one of the files that do not count. */
  readonly changes: readonly TreeChange[]
}

/**
 * Looks at the tree that a project is in. Submodules that moved do not count as changes.
 * @param uncounted absolute paths of files and folders whose changes do not count
 * @throws UserError where there is no repository or no commit yet
 */
export async function inspectTree(projectRoot: string, uncounted: readonly string[] = []): Promise<TreeState> {
  const git = await openGit(projectRoot)
  // Folders that are wholly untracked come as one entry, which is fast; a file in them that does not count must be seen.
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
      'the repository has no commit yet, and a run records the commit it ran',
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
    throw new UserError('the project is in no git repository any more', "'git init' makes one, then commit your files")
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
    // A rename is followed by an entry of its own with the former path.
    if (entry.startsWith('2')) at++
  }
  return changes
}

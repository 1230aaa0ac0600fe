import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NotAProjectError } from '../errors.js'
import { hasLinks } from '../system/files.js'

/** The absolute paths of a project, and the runners that its settings may name. */
export interface Project {
  readonly root: string
  /** Names of the runners whose templates its settings may hold. */
  readonly runners: readonly string[]
  readonly configFile: string
  readonly databaseFile: string
  readonly cacheFolder: string
  /** Listings of the files that runs have read, and known hashes of them. */
  readonly dataFolder: string
}

/** The project with that root. */
export function projectAt(root: string, runners: readonly string[]): Project {
  return {
    root,
    runners,
    configFile: join(root, '.qanat', 'config.yaml'),
    databaseFile: join(root, '.qanat', 'database.db'),
    cacheFolder: join(root, '.qanat', 'cache'),
    dataFolder: join(root, '.qanat', 'data'),
  }
}

/** True if a project has a database; a fresh clone has none. */
export function hasDatabase({ databaseFile }: Project): boolean {
  return existsSync(databaseFile)
}

/** Whether links can be made in a project: some file systems have none. */
export function canLink({ databaseFile }: Project): boolean {
  return hasLinks(dirname(databaseFile))
}

/**
 * The project that a folder belongs to: the nearest folder above it with `.qanat/config.yaml`.
 * A frozen copy contains that file, too, but belongs to the project that it is a copy of.
 * @param runners names of the registered runners
 * @throws NotAProjectError if there is none
 */
export function findProject(folder: string, runners: readonly string[]): Project {
  const inside = realpathSync(folder)
  const root = rootAround(inside, 'config.yaml')
  if (root !== null) return projectAt(root, runners)
  const left = rootAround(inside, 'database.db')
  throw left === null ? new NotAProjectError() : withoutSettings(left)
}

/** Of a project without settings: git takes them away with a branch that does not have them. */
export function withoutSettings(root: string): NotAProjectError {
  return new NotAProjectError(
    `${join(root, '.qanat')} has the runs of a project, but no config.yaml`,
    'git switch BRANCH        if another branch has it\ngit checkout BRANCH -- .qanat        brings it to this one',
  )
}

/** The same for a folder that need not exist; null if it belongs to no project. */
export function projectOf(folder: string): Project | null {
  const root = existsSync(folder) ? rootAround(realpathSync(folder), 'config.yaml') : null
  return root === null ? null : projectAt(root, [])
}

/** The nearest folder above with that file in `.qanat`. */
function rootAround(inside: string, file: string): string | null {
  const owner = /^(.*?)\/\.qanat\/cache\/./.exec(`${inside}/`)?.[1]
  for (let root = owner ?? inside; ; root = dirname(root)) {
    if (existsSync(join(root, '.qanat', file))) return root
    if (root === dirname(root)) return null
  }
}

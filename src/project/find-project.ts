import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NotAProjectError } from '../errors.js'

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

/**
 * The project that a folder belongs to: the nearest folder above it with `.qanat/config.yaml`.
 * A frozen copy contains that file, too, but belongs to the project that it is a copy of.
 * @param runners names of the registered runners
 * @throws NotAProjectError if there is none
 */
export function findProject(folder: string, runners: readonly string[]): Project {
  const project = projectAround(realpathSync(folder), runners)
  if (project) return project
  throw new NotAProjectError()
}

/** The same for a folder that need not exist; null if it belongs to no project. */
export function projectOf(folder: string): Project | null {
  return existsSync(folder) ? projectAround(realpathSync(folder), []) : null
}

function projectAround(inside: string, runners: readonly string[]): Project | null {
  const owner = /^(.*?)\/\.qanat\/cache\/./.exec(`${inside}/`)?.[1]
  for (let root = owner ?? inside; ; root = dirname(root)) {
    if (existsSync(join(root, '.qanat', 'config.yaml'))) return projectAt(root, runners)
    if (root === dirname(root)) return null
  }
}

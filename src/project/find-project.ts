import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NotAProjectError } from '../errors.js'

/** Where things are in a project, and what its settings may be about. Absolute paths. */
export interface Project {
  readonly root: string
  /** Names of the runners whose templates its settings may hold. */
  readonly runners: readonly string[]
  readonly configFile: string
  readonly databaseFile: string
  readonly cacheFolder: string
}

/** The project with that root. */
export function projectAt(root: string, runners: readonly string[]): Project {
  return {
    root,
    runners,
    configFile: join(root, '.qanat', 'config.yaml'),
    databaseFile: join(root, '.qanat', 'database.db'),
    cacheFolder: join(root, '.qanat', 'cache'),
  }
}

/** True where a project has its database, which a fresh clone has not. */
export function hasDatabase({ databaseFile }: Project): boolean {
  return existsSync(databaseFile)
}

/**
 * The project that a folder belongs to: the nearest `.qanat/config.yaml` upwards.
 * Inside a frozen copy, which holds one too, its owner is meant.
 * @param runners names of those that are registered
 * @throws NotAProjectError where there is none
 */
export function findProject(folder: string, runners: readonly string[]): Project {
  const project = projectAround(realpathSync(folder), runners)
  if (project) return project
  throw new NotAProjectError()
}

/** The same for a folder that need not be there; null where it belongs to no project. */
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

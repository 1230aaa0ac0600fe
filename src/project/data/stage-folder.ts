import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { atomicWrite } from '../../system/files.js'
import type { Project } from '../find-project.js'

/** A link in a folder of links. */
export interface StageLink {
  /** Relative to the folder. */
  readonly name: string
  /** Absolute. */
  readonly target: string
}

/** Where the folder of some links is, absolute: equal ones have the same. */
export function stageFolder(project: Project, links: readonly StageLink[]): string {
  const hash = createHash('sha256').update(textOf(project, links)).digest('hex')
  return join(stagesOf(project), hash.slice(0, 16))
}

/**
 * Makes a folder of links to what groups have made, unless it is there. It is never changed, since runs may read it. A file beside it
 * lists the links, relative to the root of the project, which may be moved.
 */
export function makeStageFolder(project: Project, links: readonly StageLink[]): void {
  const folder = stageFolder(project, links)
  if (existsSync(folder)) return
  atomicWrite(`${folder}.json`, textOf(project, links))
  const made = join(stagesOf(project), `.${randomUUID()}`)
  try {
    for (const { name, target } of links) {
      const link = join(made, name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(relative(dirname(join(folder, name)), target), link)
    }
    renameSync(made, folder)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    // Another command was faster.
    if (!existsSync(folder)) throw error
  }
}

function textOf({ root }: Project, links: readonly StageLink[]): string {
  return JSON.stringify(links.map(({ name, target }) => [name, relative(root, target)]))
}

/** Where the links of such a folder lead, absolute; null for any other path. */
export function stageTargets(project: Project, path: string): string[] | null {
  if (dirname(path) !== stagesOf(project) || !existsSync(`${path}.json`)) return null
  const links = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as [name: string, target: string][]
  return links.map(([, target]) => resolve(project.root, target))
}

function stagesOf({ dataFolder }: Project): string {
  return join(dataFolder, 'stages')
}

import { createHash, randomUUID } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
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
  return stageFolderOf(project, textOf(project, links))
}

function stageFolderOf(project: Project, text: string): string {
  return join(stagesOf(project), createHash('sha256').update(text).digest('hex').slice(0, 16))
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

/**
 * Removes the folders of links that nobody uses, and the files that list them. A folder with anything else in it stays.
 * @param isUsed asked for the absolute path of each
 * @returns how many are gone
 */
export function removeStageFolders(project: Project, isUsed: (folder: string) => boolean): number {
  const stages = stagesOf(project)
  const names = existsSync(stages) ? readdirSync(stages).filter(name => /^[0-9a-f]{16}$/.test(name)) : []
  const unused = names
    .map(name => join(stages, name))
    .filter(folder => !isUsed(folder) && hasOnlyLinks(project, folder))
  for (const folder of unused) {
    // If this is interrupted, nobody takes a part of the links for all of them.
    const left = join(stages, `.${randomUUID()}`)
    renameSync(folder, left)
    rmSync(left, { recursive: true })
    rmSync(`${folder}.json`)
  }
  return unused.length
}

/** Whether a folder has links that we have made, and nothing else. */
function hasOnlyLinks(project: Project, folder: string): boolean {
  const list = `${folder}.json`
  if (!existsSync(list) || stageFolderOf(project, readFileSync(list, 'utf8')) !== folder) return false
  const links = new Set(linksOf(list).map(([name]) => name))
  return (readdirSync(folder, { recursive: true }) as string[]).every(name => {
    const entry = lstatSync(join(folder, name))
    return entry.isDirectory() || (entry.isSymbolicLink() && links.has(name))
  })
}

function textOf({ root }: Project, links: readonly StageLink[]): string {
  return JSON.stringify(links.map(({ name, target }) => [name, relative(root, target)]))
}

/** Where the links of such a folder lead, absolute; null for any other path. */
export function stageTargets(project: Project, path: string): string[] | null {
  if (dirname(path) !== stagesOf(project) || !existsSync(`${path}.json`)) return null
  return linksOf(`${path}.json`).map(([, target]) => resolve(project.root, target))
}

function linksOf(list: string): [name: string, target: string][] {
  return JSON.parse(readFileSync(list, 'utf8'))
}

function stagesOf({ dataFolder }: Project): string {
  return join(dataFolder, 'stages')
}

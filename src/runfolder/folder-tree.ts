import { type Dirent, existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import treeify from 'object-treeify'

/** Names in a folder; null for anything that is not a folder. */
interface TreeObject {
  readonly [name: string]: TreeObject | null
}

const most = 1000

/** The files in a folder as a tree, links with their targets; of a folder with very many files only the first. */
export function folderTree(folder: string): string {
  return existsSync(folder) ? treeify(branches(folder)) : `${folder} is gone`
}

function branches(folder: string): TreeObject {
  const entries = readdirSync(folder, { withFileTypes: true })
  const ordered = entries.sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
  const shown = ordered.slice(0, most).map(entry => [nameOf(folder, entry), branch(folder, entry)] as const)
  const more = entries.length > most ? [[`… and ${entries.length - most} more`, null] as const] : []
  return Object.fromEntries([...shown, ...more])
}

function branch(folder: string, entry: Dirent): TreeObject | null {
  return entry.isDirectory() ? branches(join(folder, entry.name)) : null
}

function nameOf(folder: string, entry: Dirent): string {
  return entry.isSymbolicLink() ? `${entry.name} -> ${readlinkSync(join(folder, entry.name))}` : entry.name
}

import { type Dirent, lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import treeify from 'object-treeify'
import { presenceOf, type ReadFolder } from './files/presence.js'

/** Names in a folder; null for anything that is not a folder. */
interface TreeObject {
  readonly [name: string]: TreeObject | null
}

const most = 1000

/** Writes a size in bytes. */
type SizeText = (bytes: number) => string

/**
 * The files in a folder as a tree with their sizes, links with their targets; of a folder with very many files only the
 * first. Hidden files, such as our own, are left out.
 */
export function folderTree(folder: ReadFolder, sizeText: SizeText): string {
  const presence = presenceOf(folder)
  return presence === 'there' ? treeify(branches(folder.path, sizeText)) : `${folder.path} is ${presence}`
}

function branches(folder: string, sizeText: SizeText): TreeObject {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
  const ordered = entries.sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
  const shown = ordered
    .slice(0, most)
    .map(entry => [nameOf(folder, entry, sizeText), branch(folder, entry, sizeText)] as const)
  const more = entries.length > most ? [[`… and ${entries.length - most} more`, null] as const] : []
  return Object.fromEntries([...shown, ...more])
}

function branch(folder: string, entry: Dirent, sizeText: SizeText): TreeObject | null {
  return entry.isDirectory() ? branches(join(folder, entry.name), sizeText) : null
}

function nameOf(folder: string, entry: Dirent, sizeText: SizeText): string {
  const path = join(folder, entry.name)
  if (entry.isSymbolicLink()) return `${entry.name} -> ${readlinkSync(path)}`
  // A script that still runs may have removed the file since.
  const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
  return entry.isFile() ? `${entry.name} (${sizeText(size)})` : entry.name
}

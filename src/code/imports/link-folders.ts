import { type Dirent, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** The targets of links by their names, and folders of such links. */
export type Entries = Map<string, string | Entries>

/** Makes a folder of links, or changes one: groups of a live run may use what stays. */
export function writeEntries(folder: string, entries: Entries): void {
  mkdirSync(folder, { recursive: true })
  for (const { name } of entriesOf(folder)) if (!entries.has(name)) rmSync(join(folder, name), { recursive: true })
  for (const [name, target] of entries) {
    const place = join(folder, name)
    const there = lstatSync(place, { throwIfNoEntry: false })
    const isRight = there?.isSymbolicLink() ? readlinkSync(place) === target : target instanceof Map
    if (there && !isRight) rmSync(place, { recursive: true })
    if (target instanceof Map) writeEntries(place, target)
    else if (!there || !isRight) symlinkSync(target, place)
  }
}

/** What is in a folder; nothing if it cannot be read. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

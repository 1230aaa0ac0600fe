import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inject } from 'vitest'
import { Folder } from './project.js'

/**
 * A function that gives a project as `make` leaves it, whose runs must have ended by then. It is made at the first call, and
 * each call gets a copy, as if everything had been done there.
 */
export function madeOnce(make: () => Promise<Folder>): () => Promise<Folder> {
  let made: Promise<{ base: string; original: Folder }> | undefined
  return async () => {
    made ??= make().then(original => ({ base: keep(original), original }))
    const { base, original } = await made
    const copy = new Folder(original.environment)
    cpSync(base, copy.path, { recursive: true, verbatimSymlinks: true })
    move(copy.path, original.path)
    for (const [name, value] of Object.entries(copy.environment)) {
      copy.environment[name] = value?.replaceAll(original.path, copy.path)
    }
    return copy
  }
}

/** Copies a project to where it stays until all tests are over. @returns its new path */
function keep({ path }: Folder): string {
  const base = join(inject('bases'), basename(path))
  cpSync(path, base, { recursive: true, verbatimSymlinks: true })
  return base
}

/** Writes the path that a project has now wherever it says its former one. Both have the same length: no file changes its. */
function move(path: string, former: string): void {
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    // In this encoding a byte is a character, whatever the file holds.
    const content = readFileSync(file, 'latin1')
    if (content.includes(former)) writeFileSync(file, content.replaceAll(former, path), 'latin1')
  }
}

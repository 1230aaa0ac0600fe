import { existsSync, renameSync } from 'node:fs'
import type { Project } from './find-project.js'

/**
 * Renames a file that somebody has edited, so that it can be written anew. The same content gets the same name each time.
 * @param file absolute
 * @param digest of its content, as `sha256:…`
 * @returns its new path
 */
export function putEditedAside(file: string, digest: string): string {
  const aside = `${file}.edited-${digest.replace(/^.*:/, '').slice(0, 12)}`
  renameSync(file, aside)
  return aside
}

/** Renames a database that cannot be used, and its journal. @returns its new name, relative to the project */
export function putDatabaseAside({ root, databaseFile }: Project): string {
  const aside = `${databaseFile}.${new Date().toISOString().replace(/[:.]/g, '-')}`
  for (const end of ['', '-journal', '-wal', '-shm']) {
    if (existsSync(`${databaseFile}${end}`)) renameSync(`${databaseFile}${end}`, `${aside}${end}`)
  }
  return aside.slice(root.length + 1)
}

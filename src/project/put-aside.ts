import { existsSync, renameSync } from 'node:fs'
import type { Project } from './find-project.js'

/** Renames a damaged database and its journal. @returns its new name, relative to the project */
export function putDatabaseAside({ root, databaseFile }: Project): string {
  const aside = `${databaseFile}.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`
  renameSync(databaseFile, aside)
  if (existsSync(`${databaseFile}-journal`)) renameSync(`${databaseFile}-journal`, `${aside}-journal`)
  return aside.slice(root.length + 1)
}

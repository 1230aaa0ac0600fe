import { join } from 'node:path'
import { matches, namesIn, readText } from './group-metrics.js'
import { parseRows, type TableRows } from './parse.js'

/** A table that a group has left. */
export interface OwnTable extends TableRows {
  /** Relative to the group's folder. */
  readonly file: string
}

/**
 * The tables in the folder of a group whose paths are of a pattern, in the order of their names. Files that cannot be read
 * have no rows, but a problem.
 * @param pattern with `/` between its parts, in which `*` stands for any text
 * @param runFolder absolute; links that lead out of it are not followed
 */
export function* ownTables(pattern: string, folder: string, runFolder: string): Generator<OwnTable> {
  for (const file of filesOf(folder, pattern.split('/'))) yield { file, ...tableIn(join(folder, file), runFolder) }
}

function filesOf(folder: string, [part = '', ...rest]: readonly string[]): string[] {
  const names = namesIn(folder).filter(name => matches(name, part))
  names.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  if (rest.length === 0) return names
  return names.flatMap(name => filesOf(join(folder, name), rest).map(path => join(name, path)))
}

function tableIn(path: string, runFolder: string): TableRows {
  try {
    return parseRows(path, readText(path, runFolder, true) ?? '')
  } catch (error) {
    return { rows: [], problems: [(error as Error).message.split('\n')[0]!] }
  }
}

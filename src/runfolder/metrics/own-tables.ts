import { relative } from 'node:path'
import { fittingFiles } from './fitting-files.js'
import { type RunFiles, readText } from './group-metrics.js'
import { parseRows, type TableRows } from './parse.js'

/** A table that a group has left. */
export interface OwnTable extends TableRows {
  /** Relative to the group's folder. */
  readonly file: string
}

/**
 * The tables in the folder of a group whose paths are of a pattern, in the order of their names. Files that cannot be read
 * have no rows, but a problem.
 * @param pattern see {@link fittingFiles}
 */
export function* ownTables(pattern: string, folder: string, run: RunFiles): Generator<OwnTable> {
  for (const path of [...new Set(fittingFiles(folder, pattern.split('/')))].reverse()) {
    const table = tableIn(path, run)
    if (table !== null) yield { file: relative(folder, path), ...table }
  }
}

/** Null if there is no file. */
function tableIn(path: string, run: RunFiles): TableRows | null {
  try {
    const text = readText(path, run, true)
    return text === null ? null : parseRows(path, text)
  } catch (error) {
    return { rows: [], problems: [(error as Error).message.split('\n')[0]!] }
  }
}

import { relative } from 'node:path'
import type { Problem } from '../../domain/results/reading/found.js'
import { exactRows } from './exact-rows.js'
import { entriesIn, fittingFiles } from './fitting-files.js'
import type { TableRows } from './parse.js'
import { readNow, readText } from './read-text.js'

/** A table that a group has left. */
export interface OwnTable extends TableRows {
  /** Relative to the group's folder. */
  readonly file: string
}

/**
 * The tables in the folder of a group whose paths are of a pattern, in the order of their names. Files that cannot be read
 * have no rows, but a problem, and so does the pattern if the folder cannot be read now.
 * @param pattern see {@link fittingFiles}
 * @param runFolder see {@link readText}
 */
export function* ownTables(pattern: string, folder: string, runFolder: string): Generator<OwnTable> {
  const problems: Problem[] = []
  const find = () => (entriesIn(folder) === null ? [] : [...new Set(fittingFiles(folder, pattern.split('/')))])
  const paths = readNow(find, reason => problems.push({ text: `the folder cannot be read now: ${reason}`, line: null }))
  if (problems.length > 0) yield { file: pattern, rows: [], problems }
  for (const path of paths?.reverse() ?? []) {
    const table = tableIn(path, runFolder)
    if (table !== null) yield { file: relative(folder, path), ...table }
  }
}

/** Null if there is no file. */
function tableIn(path: string, runFolder: string): TableRows | null {
  try {
    const text = readText(path, runFolder, true)
    return text === null ? null : exactRows(path, text)
  } catch (error) {
    return { rows: [], problems: [{ text: (error as Error).message.split('\n')[0]!, line: null }] }
  }
}

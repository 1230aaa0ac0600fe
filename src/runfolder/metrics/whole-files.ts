import { rowMetrics } from '../../domain/results/reading/document.js'
import type { ReadMetrics } from '../../domain/results/reading/found.js'
import { searchOutput } from './output-search.js'
import { parseMetricFile } from './parse.js'
import { readText } from './read-text.js'

/** Reads the metrics in files, whose paths are absolute. Null where there is no file. */
export interface MetricFiles {
  /** @param source the path or the pattern that led there, and the column that counts rows @throws Error for what is no file of metrics */
  read(
    path: string,
    source: { readonly file: string; readonly step: string | null },
    runFolder: string,
  ): ReadMetrics | null
  /** @param pattern a regular expression for lines of an output */
  search(path: string, pattern: string, runFolder: string): ReadMetrics | 'slow' | null
}

/** Reads files as a whole. */
export const wholeFiles: MetricFiles = {
  read(path, { file, step }, runFolder) {
    const text = readText(path, runFolder, true)
    if (text?.trim() === '') throw new Error('it is empty')
    return text === null ? null : parseMetricFile(file, text, step)
  },
  search(path, pattern, runFolder) {
    const text = readText(path, runFolder, false)
    const rows = text === null ? [] : searchOutput(text, pattern)
    if (rows === null) return 'slow'
    return text === null ? null : rowMetrics(rows, null)
  },
}

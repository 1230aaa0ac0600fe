import { endOf, type Product, tableFormats } from '../../domain/documents/product.js'
import type { Workspace } from '../../operations/workspace.js'
import { saveOutput } from '../../project/output/output-file.js'
import { plotRemarks } from '../../views/results/plotted.js'
import { intervalMethod } from '../parse/interval-method.js'
import { comparisonOf, tableIn } from './comparison.js'
import { drawFigure } from './figure.js'

/** In millimetres, as the command draws it. */
export const usualWidth = 120

/**
 * Makes a table, a plot or a report of runs and groups for a document, as the command of that name does.
 * @param path absolute; its folder exists
 */
export async function makeProduct(
  workspace: Workspace,
  { kind, file, options, filters }: Product,
  experiment: string,
  runs: readonly string[],
  path: string,
  version: string,
): Promise<void> {
  // Neither a table nor a picture has a place for remarks, so they are printed.
  const warn = (remarks: readonly string[]) => {
    for (const text of remarks) workspace.warn(`${file}: ${text}`)
  }
  if (kind === 'report') {
    const { writeReport } = await import('./report.js')
    await writeReport(workspace, experiment, runs, { ...options, ...filters }, path, version)
  } else if (kind === 'plot') {
    const width = Number(options.width ?? usualWidth)
    warn(plotRemarks(await drawFigure(workspace, experiment, runs, { ...options, ...filters, width }, path, version)))
  } else {
    const { top, repeats } = options
    const more = { top: top === undefined ? undefined : Number(top), repeats: repeats === 'true' }
    const comparison = await comparisonOf(workspace, experiment, runs, { ...options, ...filters, ...more })
    const { text, remarks } = tableIn(tableFormats[endOf(file)]!, comparison, intervalMethod(options.ci))
    saveOutput(workspace.cwd, path, `${text.trimEnd()}\n`)
    warn(remarks)
  }
}

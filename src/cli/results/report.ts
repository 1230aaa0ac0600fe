import { sourcesOf } from '../../operations/origins/sources.js'
import { reportExperiment } from '../../operations/results/report-experiment.js'
import type { Workspace } from '../../operations/workspace.js'
import { saveOutput } from '../../project/output/output-file.js'
import { readShipped } from '../../system/shipped.js'
import { reportFile } from '../../views/browse/report-file.js'
import { drawPlot } from '../../views/plots/draw-plot.js'
import { sealedFile } from '../../views/plots/seal.js'
import { onLight } from '../../views/plots/style.js'
import { listed } from '../parse/listed.js'
import { lookedAt, optionsAgain, type TypedFilters, wordsAgain } from './filters.js'
import type { Typed } from './typed.js'

/** Two plots stand side by side on a wide screen, and on paper. */
const plotWidth = 145

/** Writes a report on runs. @param version of the program @returns how many groups it is about, and how many of them are not in its list */
export async function writeReport(
  workspace: Workspace,
  experiment: string,
  runs: readonly string[],
  { by, over, metrics, ...filters }: Typed<'by' | 'over' | 'metrics'> & TypedFilters,
  path: string,
  version: string,
): Promise<{ readonly groups: number; readonly leftOut: number }> {
  const request = { experiment, by: listed(by), over: listed(over), metrics: listed(metrics) }
  const report = await reportExperiment(workspace, lookedAt(runs, filters), request)
  const ids = [
    ...wordsAgain(
      report.runs.map(({ id }) => id),
      runs,
    ),
    ...optionsAgain(filters),
  ]
  const plots = []
  for (const { plotted, metric } of report.plots) {
    const { svg } = await drawPlot(plotted.plot, plotWidth, onLight)
    plots.push({ svg, command: [experiment, ...ids, '-y', metric, '-o', 'plot.svg'], plotted })
  }
  const options = Object.entries({ by, over, metrics }).filter(([, value]) => value !== undefined)
  const command = [experiment, ...ids, ...options.map(([name, value]) => `--${name}=${value}`)]
  const madeFrom = { command, version, runs: await sourcesOf(workspace, report.runs) }
  const assets = { style: readShipped('pages/style.css'), script: readShipped('pages/tables.js') }
  const { html, leftOut } = reportFile(report, plots, Date.now(), madeFrom, assets)
  saveOutput(workspace.cwd, path, sealedFile(html))
  return { groups: report.groups.length, leftOut }
}

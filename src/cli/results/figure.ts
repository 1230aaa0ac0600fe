import { sourcesOf } from '../../operations/origins/sources.js'
import { type ExperimentPlot, plotExperiment, plotKinds } from '../../operations/results/plot/plot-experiment.js'
import type { Workspace } from '../../operations/workspace.js'
import { readFigure, saveOutput } from '../../project/output/output-file.js'
import { convertSvg } from '../../system/pictures/convert-svg.js'
import { drawPlot } from '../../views/plots/draw-plot.js'
import { figureFormat } from '../../views/plots/figure.js'
import { commandIn } from '../../views/plots/record.js'
import { listed } from '../parse/listed.js'
import { lookedAt, optionsAgain, type TypedFilters, wordsAgain } from './filters.js'
import type { Typed } from './typed.js'

interface PlotOptions extends Typed<'kind' | 'x' | 'y' | 'by' | 'over' | 'facet' | 'log'>, TypedFilters {
  /** In millimetres. */
  readonly width: number
}

/** The command that has made a plot. @param path relative to the folder of the user, or absolute */
export function commandOfFigure({ cwd }: Workspace, path: string): string[] {
  return commandIn(readFigure(cwd, path), path)
}

/**
 * Draws a plot of runs into a file, which keeps the command that makes it again.
 * @param path relative to the folder of the user, or absolute
 */
export async function drawFigure(
  workspace: Workspace,
  experiment: string,
  runs: readonly string[],
  { kind, x, y, by, over, facet, log, width, ...filters }: PlotOptions,
  path: string,
  version: string,
): Promise<ExperimentPlot> {
  const format = figureFormat(path)
  const plotted = await plotExperiment(workspace, {
    ...{ experiment, runs, filter: lookedAt(runs, filters).filter },
    kind: plotKinds.find(each => each === kind) ?? null,
    ...{ x: x ?? null, y: y ?? null, by: listed(by), over: listed(over), facet: facet ?? null },
    log: log === undefined ? null : { x: log.includes('x'), y: log.includes('y') },
  })
  const drawn = await drawPlot(plotted.plot, width)
  const options = Object.entries({ kind, x, y, by, over, facet, log, width }).filter(([, value]) => value !== undefined)
  const command = [
    plotted.experiment,
    ...wordsAgain(
      plotted.counted.map(({ id }) => id),
      runs,
    ),
    ...options.map(([name, value]) => `--${name}=${value}`),
    ...optionsAgain(filters),
  ]
  const recorded = {
    ...drawn.specification,
    usermeta: { qanat: { command, version, runs: await sourcesOf(workspace, plotted.runs) } },
  }
  const { picture } = format
  const content = picture === null ? Buffer.from(drawn.svg) : await convertSvg(drawn.svg, picture)
  saveOutput(workspace.cwd, path, format.finish(content, recorded))
  return plotted
}

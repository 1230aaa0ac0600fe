import { setTimeout as sleep } from 'node:timers/promises'
import type { UserError } from '../../errors.js'
import { sourcesOf } from '../../operations/origins/sources.js'
import { areLive } from '../../operations/results/chosen-runs.js'
import {
  attemptPlot,
  type ExperimentPlot,
  type PlotRequest,
  plotExperiment,
  plotKinds,
} from '../../operations/results/plot/plot-experiment.js'
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
  options: PlotOptions,
  path: string,
  version: string,
): Promise<ExperimentPlot> {
  const write = figureWriter(workspace, runs, options, path, version)
  const plotted = await plotExperiment(workspace, requestOf(experiment, runs, options))
  await write(plotted)
  return plotted
}

/** Milliseconds between two looks at what grows. */
const interval = 2_000

/**
 * The same again and again, with lines of the groups that run, until none of the runs is live any more.
 * @param tell takes what is drawn, or why there is nothing to draw yet, whenever that is something else
 */
export async function drawLiveFigure(
  workspace: Workspace,
  experiment: string,
  runs: readonly string[],
  options: PlotOptions,
  path: string,
  version: string,
  tell: (drawn: ExperimentPlot | UserError) => void,
): Promise<void> {
  const write = figureWriter(workspace, runs, options, path, version)
  let last = ''
  for (;;) {
    const mayGoOn = areLive(workspace, experiment, runs)
    const now = await attemptPlot(workspace, { ...requestOf(experiment, runs, options), isLive: true })
    if ('problem' in now && !mayGoOn) throw now.problem
    const text = 'problem' in now ? now.problem.message : JSON.stringify(now.plot)
    if (text !== last) {
      if (!('problem' in now)) await write(now)
      tell('problem' in now ? now.problem : now)
    }
    last = text
    if (!mayGoOn) return
    await sleep(interval)
  }
}

function requestOf(experiment: string, runs: readonly string[], options: PlotOptions): PlotRequest {
  const { kind, x, y, by, over, facet, log, width: _, ...filters } = options
  return {
    ...{ experiment, runs, filter: lookedAt(runs, filters).filter },
    kind: plotKinds.find(each => each === kind) ?? null,
    ...{ x: x ?? null, y: y ?? null, by: listed(by), over: listed(over), facet: facet ?? null },
    log: log === undefined ? null : { x: log.includes('x'), y: log.includes('y') },
  }
}

/** A function that draws plots into a file. @throws UserError if its name is that of no format */
function figureWriter(
  workspace: Workspace,
  runs: readonly string[],
  { kind, x, y, by, over, facet, log, width, ...filters }: PlotOptions,
  path: string,
  version: string,
) {
  const format = figureFormat(path)
  const options = Object.entries({ kind, x, y, by, over, facet, log, width }).filter(([, value]) => value !== undefined)
  return async (plotted: ExperimentPlot): Promise<void> => {
    const drawn = await drawPlot(plotted.plot, width)
    const ids = plotted.counted.map(({ id }) => id)
    const command = [
      ...[plotted.experiment, ...wordsAgain(ids, runs)],
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
  }
}

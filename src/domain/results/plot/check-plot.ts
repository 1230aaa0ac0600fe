import { UserError } from '../../../errors.js'
import type { Plot, PlotScale } from './plot.js'

/** More categories than these cannot be told apart on paper. */
export const mostCategories = { axis: 100, color: 40, facet: 36 }

/** @throws UserError if there are more categories than a plot can show, or values that a logarithmic axis does not have */
export function checkPlot(plot: Plot): void {
  const { kind, x, y, color, facet } = plot
  for (const scale of [x, y]) checkCount(scale, mostCategories.axis, 'axis')
  checkCount(kind === 'heatmap' ? null : color, mostCategories.color, 'legend')
  checkCount(facet, mostCategories.facet, 'grid of plots')
  checkLogarithm(plot, 'x')
  checkLogarithm(plot, 'y')
}

function checkCount(scale: PlotScale | null, most: number, place: string): void {
  const count = scale?.categories?.length ?? 0
  if (count <= most) return
  throw new UserError(
    `${scale!.title} has ${count} values, and no ${place} shows more than ${most}`,
    'average over parameters with --over, choose those that distinguish colours with --by, or choose fewer runs',
  )
}

function checkLogarithm({ kind, rows, ...scales }: Plot, axis: 'x' | 'y'): void {
  const scale = scales[axis]
  if (!scale.isLog) return
  const option = `--log ${axis}`
  if (scale.categories !== null) {
    throw new UserError(
      `${option}: the values of ${scale.title} are places on an axis, not numbers`,
      `leave ${option} out`,
    )
  }
  if (kind === 'bars' && axis === 'y') {
    throw new UserError(`${option}: bars begin at 0, which a logarithmic axis does not have`, 'use --kind points')
  }
  if (axis === 'x' && scale.linearTo !== undefined) return
  const values = [...new Set(rows.map(row => row[axis]).filter(value => value !== null))]
  const wrong = values.filter(value => Number(value) <= 0)
  if (wrong.length === 0) return
  throw new UserError(
    `${option}: ${wrong.length} of ${values.length} values of ${scale.title} ${wrong.length === 1 ? 'is' : 'are'} not above 0, such as ${wrong[0]}`,
    `leave ${option} out, or choose other runs`,
  )
}

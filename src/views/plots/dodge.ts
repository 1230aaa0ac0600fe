import type { Plot } from '../../domain/results/plot/plot.js'
import type { Json } from './json.js'
import { labelsOf } from './texts.js'

/** The largest distance between the error bars of two colours, and between those of the first and the last, in pixels. */
const largest = { distance: 5, whole: 24 }
/** Nearer to each other, they could not be told apart. */
const smallest = 2

/** How marks stand beside those of other colours. */
export interface Beside {
  /** Properties of a mark. */
  readonly mark: Json
  /** How far the outermost ones are from their place, in pixels. */
  readonly reach: number
}

/**
 * On an axis of numbers, the error bars of each colour stand beside those of the others, which they would hide, unless there are
 * too many for the distance between two numbers.
 * @param width of the axis, about, in pixels
 */
export function besideOthers({ kind, x, color, rows }: Plot, width: number): Beside {
  const count = color?.categories?.length ?? 0
  const hasNumbers = kind === 'points' && x.categories === null
  const inPlace = { mark: {}, reach: 0 }
  if (!hasNumbers || count < 2 || !rows.some(({ low }) => low !== null)) return inPlace
  const places = [...new Set(rows.map(row => placeOf(x, Number(row.x))))].sort((one, other) => one - other)
  const span = places.at(-1)! - places[0]!
  const nearest = places.slice(1).reduce((least, place, at) => Math.min(least, place - places[at]!), span)
  // All colours of a number stay nearer to it than to the next one.
  const space = span === 0 ? largest.whole : Math.min(largest.whole, (nearest / span) * (width / 2))
  const distance = Math.min(largest.distance, space / (count - 1))
  if (distance < smallest) return inPlace
  const reach = ((count - 1) / 2) * distance
  const expr = `indexof(${JSON.stringify(labelsOf(color!))}, datum.color) * ${distance} - ${reach}`
  return { mark: { xOffset: { expr } }, reach }
}

/** Where a scale has a number. */
function placeOf({ isLog, linearTo }: Plot['x'], value: number): number {
  if (!isLog) return value
  return linearTo === undefined ? Math.log(value) : Math.sign(value) * Math.log1p(Math.abs(value) / linearTo)
}

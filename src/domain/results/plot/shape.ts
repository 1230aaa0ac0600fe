import { looksLikeSeed } from '../compare.js'
import { originNames } from '../comparison/columns.js'
import { mostCategories } from './check-plot.js'
import type { PlotKind } from './plot.js'

/** What was asked for, and what is known of the groups to plot. Parameters have their full names. */
export interface PlotWish {
  readonly kind: PlotKind | null
  /** What the horizontal axis shows; null if nobody says. */
  readonly x: Horizontal | null
  /** The parameters that distinguish colours; null for all that remain. */
  readonly by: readonly string[] | null
  /** The parameters to average over; null for those that look like a seed. */
  readonly over: readonly string[] | null
  readonly facet: string | null
  readonly varying: readonly string[]
  /** Those of which every value is a number, with how many different ones there are. */
  readonly numbers: ReadonlyMap<string, number>
  readonly isSeries: boolean
  /** Whether the groups have more than `most` combinations of values of some parameters. */
  readonly isCrowded: (parameters: readonly string[], most: number) => boolean
}

/** A parameter, a metric, or the step of a series. */
export interface Horizontal {
  readonly is: 'parameter' | 'metric' | 'step'
  readonly name: string
}

/** What a plot shows where. */
export interface PlotShape {
  readonly kind: PlotKind
  /** The parameter of the horizontal axis; null if it shows something else. */
  readonly x: string | null
  /** The parameter of the vertical axis of a heat map; null for other kinds. */
  readonly y: string | null
  readonly color: readonly string[]
  readonly facet: string | null
  readonly over: readonly string[]
  /** The parameters that distinguish cells. */
  readonly by: readonly string[]
}

/**
 * The plot that fits the data: a series as lines, two numeric parameters as a heat map, one as points, others as bars, and a
 * metric against a metric as a scatter plot. Parameters that remain distinguish colours; if nobody says which, only as many of
 * them as a legend can show.
 * @returns if there is no such plot, a text that says why
 */
export function plotShape(asked: PlotWish): PlotShape | string {
  const wish = asked.by === null && asked.over === null ? drawable(asked) : asked
  const { x, facet, varying } = wish
  const kind = wish.kind ?? kindOf(wish)
  if (x?.is === 'metric' && kind !== 'scatter')
    return `${kind}: -x ${x.name} is a metric, and this kind needs a parameter`
  if (x?.is === 'step' && kind !== 'series') return `${kind}: -x ${x.name} is for a series`
  if (kind === 'scatter') {
    if (x?.is !== 'metric') return 'scatter: -x must be a metric, too'
    const over = wish.over ?? []
    const color = wish.by ?? []
    return shapeOf(kind, null, null, color, facet, over, [...varying.filter(name => !over.includes(name)), ...color])
  }
  const over = averagedOver(wish)
  const rest = remaining(wish)
  if (kind === 'series') {
    if (!wish.isSeries) return 'series: no group has more than one value of the metric'
    if (x?.is === 'parameter') return `series: it has steps on its horizontal axis, not ${x.name}`
    return shapeOf(kind, null, null, rest, facet, over, rest)
  }
  const horizontal = x?.name ?? axisOf(rest, wish, kind)
  if (horizontal === undefined) {
    if (over.length === 0) return `${kind}: no parameter varies`
    return `${kind}: only ${over.join(', ')} varies, and the plot averages over it unless -x or --by names it`
  }
  const color = rest.filter(name => name !== horizontal)
  if (kind !== 'heatmap') return shapeOf(kind, horizontal, null, color, facet, over, [horizontal, ...color])
  if (color.length !== 1) return 'heatmap: it needs two parameters, as in -x --lr --by --depth'
  return shapeOf(kind, horizontal, color[0]!, [], facet, over, [horizontal, ...color])
}

/** A legend that would be too long has at most this many colours, so that each is another one. */
const mostColors = 8

/** Points of more seeds make a file of many megabytes. */
const mostSeeds = 1_000

/** A wish that says nothing of colours and means, so that something can be drawn. */
function drawable(wish: PlotWish): PlotWish {
  const kind = wish.kind ?? kindOf(wish)
  const over = averagedOver(wish)
  const rest = remaining(wish)
  if (kind === 'scatter' || kind === 'heatmap') return wish
  // If nothing but seeds differs, they are what can be seen, unless they are very many.
  const areSeeds = rest.length === 0 && wish.x === null && kind !== 'series'
  if (areSeeds && !wish.isCrowded(over, mostSeeds)) return { ...wish, over: [] }
  const horizontal = kind === 'series' ? undefined : (wish.x?.name ?? axisOf(rest, wish, kind))
  const color = rest.filter(name => name !== horizontal)
  if (!wish.isCrowded(color, mostCategories.color)) return wish
  const kept: string[] = []
  // Parameters come before what runs differ in besides.
  for (const name of [...color.filter(name => !isOrigin(name)), ...color.filter(isOrigin)])
    if (!wish.isCrowded([...kept, name], mostColors)) kept.push(name)
  return { ...wish, over: [...over, ...color.filter(name => !kept.includes(name))] }
}

function isOrigin(name: string): boolean {
  return originNames.some(origin => origin === name)
}

function shapeOf(
  kind: PlotKind,
  x: string | null,
  y: string | null,
  color: readonly string[],
  facet: string | null,
  over: readonly string[],
  by: readonly string[],
): PlotShape {
  return { kind, x, y, color, facet, over, by: [...new Set(facet === null ? by : [...by, facet])] }
}

function averagedOver({ over, by, x, facet, varying }: PlotWish): readonly string[] {
  return (
    over ?? varying.filter(name => looksLikeSeed(name) && !by?.includes(name) && name !== x?.name && name !== facet)
  )
}

/** The parameters that a plot distinguishes in addition to its facets. */
function remaining(wish: PlotWish): string[] {
  const over = averagedOver(wish)
  return (wish.by ?? wish.varying).filter(name => !over.includes(name) && name !== wish.facet)
}

function kindOf(wish: PlotWish): PlotKind {
  const { x, by, isSeries, numbers } = wish
  if (x?.is === 'metric') return 'scatter'
  if (x?.is === 'step' || (x === null && isSeries)) return 'series'
  if (x !== null) return numbers.has(x.name) ? 'points' : 'bars'
  const rest = remaining(wish)
  const numeric = rest.filter(name => numbers.has(name))
  const hasPlaces = numeric.every(name => numbers.get(name)! <= mostCategories.axis)
  if (by === null && rest.length === 2 && numeric.length === 2 && hasPlaces) return 'heatmap'
  return numeric.length > 0 ? 'points' : 'bars'
}

/** The number with the most values, but of a heat map and of bars the first parameter for whose values there are places. */
function axisOf(rest: readonly string[], { numbers, isCrowded }: PlotWish, kind: PlotKind): string | undefined {
  if (kind !== 'points') return rest.find(name => !isCrowded([name], mostCategories.axis)) ?? rest[0]
  const numeric = rest.filter(name => numbers.has(name))
  return numeric.toSorted((one, other) => numbers.get(other)! - numbers.get(one)!)[0] ?? rest[0]
}

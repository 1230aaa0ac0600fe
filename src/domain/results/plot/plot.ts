/** The kinds of plots, each for data of another shape. */
export const plotKinds = ['series', 'points', 'heatmap', 'bars', 'scatter'] as const
export type PlotKind = (typeof plotKinds)[number]

/** A place on an axis or in a legend: a number, or the text of a category. */
export type PlotValue = number | string

/** What one dimension of a plot shows. */
export interface PlotScale {
  /** Names of parameters or of a metric. */
  readonly title: string
  /** Each value in its order, for a dimension on which each has a place of its own; null for a continuous number. */
  readonly categories: readonly PlotValue[] | null
  readonly isLog: boolean
  /** A logarithmic scale has 0 and what is below it if it is linear up to this number, which is above 0. */
  readonly linearTo?: number
  /** Numbers of a continuous scale as they were typed, if a plot would write them otherwise. */
  readonly texts?: ReadonlyMap<number, string>
}

/** What a plot draws: the groups of a cell, or of a cell at a step. */
export interface Mark {
  readonly x: PlotValue
  /** In a heat map, the other parameter. Null makes a gap: a series has no finite number there. */
  readonly y: PlotValue | null
  /** In a heat map, the number that the colour shows; null in other plots. */
  readonly value: number | null
  /** The ends of the standard deviation around the mean; null for one group. */
  readonly low: number | null
  readonly high: number | null
  /** Of how many groups it is the mean. */
  readonly count: number
  /** Which group it is of, counted from 1, if the groups of a cell have a line each. */
  readonly line?: number
  /** Whether it is of a group that still runs, of which there may be more. */
  readonly isLive?: boolean
  /** Which part of a line it is in, counted from 1, if the line is broken: no part is a mean of the groups of another one. */
  readonly part?: number
}

/** A mark with what distinguishes it from those of other cells. */
export interface PlotRow extends Mark {
  readonly color: PlotValue | null
  readonly facet: PlotValue | null
}

/** A plot as data, independent of the language in which it is drawn. */
export interface Plot {
  readonly kind: PlotKind
  readonly x: PlotScale
  readonly y: PlotScale
  /** In a heat map, the number; in other plots, what the colours distinguish, or null. */
  readonly color: PlotScale | null
  readonly facet: PlotScale | null
  readonly rows: readonly PlotRow[]
}

/** Where the groups of an experiment leave metrics, each path relative to the group's folder. */
export type MetricSource =
  /**
   * A file; `step` names the column that counts its rows, null for the usual names. `prefix` stands before its metrics. With a
   * `*` in it, which is filled from the path, all files of a pattern are read.
   */
  | { readonly file: string; readonly step: string | null; readonly prefix?: string }
  /** A regular expression with named groups, which is searched for in every line of the group's standard output. */
  | { readonly stdout: string }

/** Which end of a metric is the better one. */
export type Direction = 'max' | 'min'

/** Which end of a metric is the better one; null if the experiment does not say. */
export function directionOf(metric: string, best: ExpectedResults['best']): Direction | null {
  return Object.hasOwn(best, metric) ? best[metric]! : null
}

/** What the groups of an experiment leave. */
export interface ExpectedResults {
  /** Empty: the usual names are looked for, see {@link usualSources}. */
  readonly metrics: readonly MetricSource[]
  readonly best: Readonly<Record<string, Direction>>
  /** Patterns of paths relative to the group's folder; a group that lacks one is incomplete. */
  readonly outputs: readonly string[]
}

/** For experiments that declare nothing. */
export const nothingExpected: ExpectedResults = { metrics: [], best: {}, outputs: [] }

/** Names by which metrics are found without a declaration; `**` stands for any folders, or none. */
export const usualSources: readonly MetricSource[] = [
  ...['json', 'yaml', 'csv', 'tsv', 'jsonl'].map(extension => ({ file: `metrics.${extension}` })),
  { file: 'results.json' },
  { file: 'dvclive/metrics.json' },
  { file: 'dvclive/plots/metrics/**/*.tsv', prefix: '**.' },
  { file: 'lightning_logs/**/metrics.csv' },
  { file: 'all_results.json' },
  { file: 'trainer_state.json' },
  { file: 'checkpoint-*/trainer_state.json' },
].map(source => ({ ...source, step: null }))

/** The formats of metric files, by the ends of their names. */
export const metricFormats = ['json', 'yaml', 'yml', 'csv', 'tsv', 'jsonl'] as const

/** A metric of a group: one value, or what is kept of a series. Numbers may be NaN or infinite. */
export type Metric = number | string | boolean | Series

/** A series of numbers, one a step. */
export interface Series {
  readonly last: number
  /** NaN if no value is a number that can be compared. */
  readonly min: number
  readonly max: number
  /** The first steps that have these values; null if there are none. */
  readonly minStep: number | null
  readonly maxStep: number | null
  readonly count: number
}

/** All values of a series, as its file has them. */
export interface Points {
  readonly values: readonly number[]
  /** As many as values: the numbers of a column that counts the rows, else those of the rows. Null where there is none. */
  readonly steps: readonly (number | null)[]
  /** The name of that column; null if there is none. */
  readonly counter: string | null
  /** The rows of the table that have the values, in ascending order; null if they are the first ones, without a gap. */
  readonly rows: readonly number[] | null
}

/** The row of a value of a series. */
export function rowOf({ rows }: Points, at: number): number {
  return rows === null ? at : rows[at]!
}

/** How many rows a file has, as far as series that were read from it tell. */
export function rowCount(series: Iterable<Points>): number {
  let count = 0
  for (const points of series) count = Math.max(count, rowOf(points, points.values.length - 1) + 1)
  return count
}

/** The metrics of a group by name; the levels of nested names are joined by dots. */
export type Metrics = Readonly<Record<string, Metric>>

/** Which number of a series to look at. */
export type Statistic = 'last' | 'min' | 'max'

/** A number of a metric; a boolean counts as 0 or 1. Null for text and for a metric that is not there. */
export function numberOf(metric: Metric | undefined, statistic: Statistic = 'last'): number | null {
  if (typeof metric === 'number') return metric
  if (typeof metric === 'boolean') return Number(metric)
  return typeof metric === 'object' ? metric[statistic] : null
}

/** The names of all metrics, and whether their values are numbers. */
export function metricNames(groups: readonly { readonly metrics: Metrics }[]): Map<string, boolean> {
  const there = new Map<string, boolean>()
  for (const { metrics } of groups) noteNames(metrics, there)
  return there
}

/** Adds the names of metrics to those that are known, see {@link metricNames}. */
export function noteNames(metrics: Metrics, there: Map<string, boolean>): void {
  for (const name in metrics) if (!there.get(name)) there.set(name, numberOf(metrics[name]) !== null)
}

/** What is kept of a series. */
export function seriesOf({ values, steps }: Pick<Points, 'values' | 'steps'>): Series {
  let [least, most] = [-1, -1]
  // Not by entries(), which takes several times as long: there may be a million values.
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!
    if (Number.isNaN(value)) continue
    if (least < 0 || value < values[least]!) least = at
    if (most < 0 || value > values[most]!) most = at
  }
  return {
    last: values.at(-1) ?? Number.NaN,
    min: values[least] ?? Number.NaN,
    max: values[most] ?? Number.NaN,
    minStep: steps[least] ?? null,
    maxStep: steps[most] ?? null,
    count: values.length,
  }
}

/**
 * Adds the metrics of a source to those of earlier ones. An earlier value stays, but if the same metric is a series in a
 * later source, the range of the series is added to it.
 * @param isSame whether a value and a series of one name are one metric
 */
export function withMore(
  earlier: Metrics,
  more: Metrics,
  isSame: (value: number, series: Series) => boolean = () => true,
): Metrics {
  if (Object.keys(earlier).length === 0) return more
  const all = new Map(Object.entries(earlier))
  for (const [name, metric] of Object.entries(more)) {
    const known = all.get(name) ?? metric
    const hasRange = typeof known === 'number' && typeof metric === 'object' && isSame(known, metric)
    all.set(name, hasRange ? { ...metric, last: known } : known)
  }
  return Object.fromEntries(all)
}

/** Whether a value may be of a series. */
export function isInRange(value: number, { min, max }: Series): boolean {
  return Number.isNaN(value) || (value >= min && value <= max) || isClose(value, min) || isClose(value, max)
}

/** The metrics of a later source whose numbers cannot be those of the same names in earlier ones. */
export function clashing(earlier: Metrics, more: Metrics): string[] {
  return Object.keys(more).filter(name => {
    const [known, metric] = [Object.hasOwn(earlier, name) ? earlier[name] : undefined, more[name]!]
    const [value, other] = [numberOf(known), numberOf(metric)]
    if (value === null || other === null || isClose(value, other)) return false
    // A file may tell the best value of the series that another one has.
    return (
      typeof known !== 'number' ||
      typeof metric !== 'object' ||
      ![metric.min, metric.max].some(end => isClose(known, end))
    )
  })
}

/** Whether numbers are the same but for rounding. */
function isClose(one: number, other: number): boolean {
  return Object.is(one, other) || Math.abs(one - other) <= 1e-3 * Math.max(Math.abs(one), Math.abs(other))
}

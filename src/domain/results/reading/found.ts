import { type Metric, type Metrics, type Points, type Series, seriesOf } from '../metrics.js'

/** What is wrong with a file, or left out of it. The text is the same for every group in which it is so. */
export interface Problem {
  readonly text: string
  /** Where it begins, counted from 1; null if that is not known. */
  readonly line: number | null
}

/** A problem with the first group that has it and the line there: `3 rows are not whole (group 0, line 5, and 2 others)`. */
export function problemText(
  text: string,
  { first, line, groups }: { readonly first: number | string; readonly line: number | null; readonly groups: number },
): string {
  const more = groups === 1 ? '' : ` and ${groups - 1} other${groups === 2 ? '' : 's'}`
  return `${text} (group ${first}${line === null ? '' : `, line ${line}${more && ','}`}${more})`
}

/** The line of a row, which is counted from 0. */
export type LineOf = (row: number) => number | null

/** Of what has no rows, or no lines. */
export const noLine: LineOf = () => null

/** Metrics that were read, and what was left out, without the name of the file. */
export interface ReadMetrics {
  readonly metrics: Metrics
  readonly problems: readonly Problem[]
  /** All values of the metrics that are series, and the only one of a column that is a series of one step. */
  readonly points: ReadonlyMap<string, Points>
}

/** One value, or all values of a series. */
export type Value = Exclude<Metric, Series> | Points

/** A metric of a file. */
export interface Found {
  readonly name: string
  readonly value: Value
  /** The series of a single number, if something counts it; else null. */
  readonly only: Points | null
  /** Whether the file holds a later value that is no number: the last number is an old one then. */
  readonly isOld: boolean
}

/** A file with more metrics is not a file of metrics. */
const mostMetrics = 1_000

/** The metrics that are kept of those that were found. */
export function kept(found: readonly Found[], problems: readonly Problem[]): ReadMetrics {
  const all = found.slice(0, mostMetrics)
  const most = found.length > mostMetrics ? [`only ${mostMetrics} of its ${found.length} metrics are kept`] : []
  const metrics = new Map<string, Metric>()
  const points = new Map<string, Points>()
  for (const each of all) {
    metrics.set(each.name, metricOf(each))
    const series = typeof each.value === 'object' ? each.value : each.only
    if (series !== null) points.set(each.name, series)
  }
  const again = metrics.size < all.length ? twice(all) : []
  return {
    metrics: Object.fromEntries(metrics),
    points,
    problems: [...problems, ...[...again, ...most].map(text => ({ text, line: null }))],
  }
}

function metricOf({ value, isOld }: Found): Metric {
  if (typeof value !== 'object') return isOld && typeof value === 'number' ? Number.NaN : value
  return isOld ? { ...seriesOf(value), last: Number.NaN } : seriesOf(value)
}

/** Nested names may be the same as names with dots. */
function twice(found: readonly Found[]): string[] {
  const seen = new Set<string>()
  const again = found.filter(({ name }) => seen.size === seen.add(name).size)
  return [`${few(again.map(({ name }) => name))} ${again.length === 1 ? 'is' : 'are'} there twice, and the last counts`]
}

/** What a file holds that is not read, by the reason. */
export class LeftOut {
  private readonly known = new Map<string, { readonly names: Set<string>; readonly row: number | null }>()

  /** @param reason what its value is, as in `a list of lists` @param row the one that has it; null outside of tables */
  add(name: string, reason: string, row: number | null): void {
    const known = this.known.get(reason) ?? { names: new Set(), row }
    known.names.add(name)
    this.known.set(reason, known)
  }

  problems(lineOf: LineOf): Problem[] {
    return Array.from(this.known, ([reason, { names, row }]) => ({
      text: `${few([...names])}: ${reason}`,
      line: row === null ? null : lineOf(row),
    }))
  }
}

const mostNamed = 3

function few(names: readonly string[]): string {
  const named = names.slice(0, mostNamed).map(name => `'${name}'`)
  const others = names.length - named.length
  return others === 0 ? named.join(', ') : `${named.join(', ')} and ${others} more`
}

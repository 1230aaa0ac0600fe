import { type Metric, type Metrics, noteNames } from './metrics.js'

/** Metrics as JSON text, which has no NaN and no infinity: they are texts there. */
export function metricsText(metrics: Metrics): string {
  return JSON.stringify(metrics, (_, value) => (Number.isFinite(value) ? value : plain(value)))
}

function plain(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value
}

/** Parses {@link metricsText}, or several of them that are joined to a list. */
export function parseMetrics(text: string): unknown {
  return /"(NaN|-?Infinity)"/.test(text)
    ? JSON.parse(text, (_, value) => (isNotFinite(value) ? Number(value) : value))
    : JSON.parse(text)
}

function isNotFinite(value: unknown): boolean {
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity'
}

/** The metrics of groups. */
export interface MetricsList extends Iterable<Metrics> {
  /** @param place counted from 0 */
  at(place: number): Metrics | undefined
}

/**
 * A function that reads lists of {@link metricsText}.
 * @param there see {@link noteNames}: what is read is added to it
 * @param wanted the metrics to keep; null for all
 */
export function metricsReader(
  there: Map<string, boolean>,
  wanted: readonly string[] | null,
): (text: string) => readonly Metrics[] {
  let known: Pattern | null = null
  return text => {
    const found = known && matching(text, known)
    if (found) return found
    const all = parseMetrics(text) as Metrics[]
    for (const metrics of all) noteNames(metrics, there)
    if (!wanted) return all
    known = patternLike(all, wanted)
    return all.map(metrics => onlyThese(metrics, wanted))
  }
}

/** At most this many characters of metrics are kept: they may take several times the memory of the numbers in them. */
const mostKept = 40_000_000
/** Once patterns have failed this often, the reader looks for no more of them. */
const mostMisses = 3

/**
 * Reads lists of {@link metricsText} for a table that consists of texts. To parse a million numbers and to write them again
 * would take longest: they stay the digits that {@link metricsText} has written. What it reads is good for nothing else, since
 * nothing tells these texts from others.
 */
export class DigitsReader {
  private known: Pattern | null = null
  private kept = 0
  private misses = 0
  private hasSeries = false
  private hasDigits = false

  readonly read = (text: string): MetricsList => {
    const pattern = this.kept + text.length <= mostKept ? this.known : null
    const ends = pattern && endsIn(text, pattern)
    if (pattern && ends) {
      this.kept += text.length
      this.hasDigits = true
      return new DigitsList(text, ends, pattern)
    }
    if (pattern) this.misses++
    const all = parseMetrics(text) as Metrics[]
    this.hasSeries ||= all.some(metrics => Object.values(metrics).some(metric => typeof metric === 'object'))
    if (this.hasSeries || this.misses >= mostMisses) this.known = null
    else if (all.length > 0) this.known = patternLike(all, null)
    return all
  }

  /** Whether some groups have a series, and others have numbers that were left as texts. */
  get isMixed(): boolean {
    return this.hasSeries && this.hasDigits
  }
}

function onlyThese(metrics: Metrics, names: readonly string[]): Metrics {
  const kept = names.filter(name => Object.hasOwn(metrics, name))
  return Object.fromEntries(kept.map(name => [name, metrics[name]!]))
}

/**
 * Finds the wanted metrics of groups that have all left the same ones, all of them numbers. Most groups of an experiment do, and
 * this takes half the time of parsing all that they have left.
 */
interface Pattern {
  /** Fits the text of one group, after a bracket or a comma, and captures its wanted metrics. */
  readonly ofGroup: RegExp
  /** The names of what it captures. */
  readonly names: readonly string[]
}

/** Longer patterns could exceed what regular expressions can hold. */
const mostNames = 1000

/** The pattern of the first group that has left metrics. @returns null if not all metrics are numbers */
function patternLike(all: readonly Metrics[], wanted: readonly string[] | null): Pattern | null {
  const metrics = all.find(each => Object.keys(each).length > 0) ?? {}
  const names = Object.keys(metrics)
  const isWanted = (name: string) => wanted?.includes(name) ?? true
  const areNumbers = names.every(name => Number.isFinite(metrics[name]))
  // An assignment to the name __proto__ would set no metric.
  if (!areNumbers || names.length > mostNames || names.includes('__proto__')) return null
  const number = '[-\\d][-+.e\\d]*'
  const members = names.map(name => {
    const key = JSON.stringify(name).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    return `${key}:${isWanted(name) ? `(${number})` : number}`
  })
  return {
    ofGroup: new RegExp(`[[,]\\{(?:${members.join()})?\\}`, 'y'),
    names: names.filter(isWanted),
  }
}

/** @returns null if a group has left something else */
function matching(text: string, pattern: Pattern): Metrics[] | null {
  const found: Metrics[] = []
  for (let end = 0; ; end = pattern.ofGroup.lastIndex) {
    const match = matchAt(text, end, pattern)
    if (!match) return end === text.length - 1 ? found : null
    found.push(metricsIn(match, pattern, Number))
  }
}

/** A 0, then for each group the end of its text. @returns null if a group has left something else */
function endsIn(text: string, { ofGroup }: Pattern): number[] | null {
  const ends = [0]
  ofGroup.lastIndex = 0
  while (ofGroup.test(text)) ends.push(ofGroup.lastIndex)
  return ends.at(-1) === text.length - 1 ? ends : null
}

/** Finds the digits of a group when they are asked for: a million short texts take much memory. */
class DigitsList implements MetricsList {
  private last: { readonly place: number; readonly metrics: Metrics } | null = null

  constructor(
    private readonly text: string,
    private readonly ends: readonly number[],
    private readonly pattern: Pattern,
  ) {}

  at(place: number): Metrics {
    if (this.last?.place !== place) {
      const match = matchAt(this.text, this.ends[place]!, this.pattern)!
      this.last = { place, metrics: metricsIn(match, this.pattern, digits => digits) }
    }
    return this.last.metrics
  }

  *[Symbol.iterator](): Generator<Metrics> {
    for (let place = 0; place < this.ends.length - 1; place++) yield this.at(place)
  }
}

function matchAt(text: string, start: number, { ofGroup }: Pattern): RegExpExecArray | null {
  ofGroup.lastIndex = start
  return ofGroup.exec(text)
}

/** @param metricOf makes a metric of its digits */
function metricsIn(match: RegExpExecArray, { names }: Pattern, metricOf: (digits: string) => Metric): Metrics {
  const metrics: Record<string, Metric> = {}
  for (let at = 0; at < names.length; at++) {
    const digits = match[at + 1]
    if (digits !== undefined) metrics[names[at]!] = metricOf(digits)
  }
  return metrics
}

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
    const found = known && matching(text, known, Number)
    if (found) return found
    const all = parseMetrics(text) as Metrics[]
    for (const metrics of all) noteNames(metrics, there)
    if (!wanted) return all
    known = patternLike(all, wanted)
    return all.map(metrics => onlyThese(metrics, wanted))
  }
}

/**
 * Reads lists of {@link metricsText} for a table of texts: numbers may be texts as JavaScript writes them, since it takes
 * longest to parse and to write a million of them.
 */
export class DigitsReader {
  private known: Pattern | null = null
  private hasSeries = false
  private hasDigits = false

  readonly read = (text: string): readonly Metrics[] => {
    const found = this.known && matching(text, this.known, digits => digits)
    if (found) {
      this.hasDigits = true
      return found
    }
    const all = parseMetrics(text) as Metrics[]
    this.hasSeries ||= all.some(metrics => Object.values(metrics).some(metric => typeof metric === 'object'))
    this.known = this.hasSeries ? null : patternLike(all, null)
    return all
  }

  /** Whether some groups have a series and others texts, of which nothing tells that they are numbers. */
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

/** The pattern of the first group that has left metrics. @returns null if not all of them are numbers */
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

/** @param metricOf makes a metric of its digits @returns null if a group has left something else */
function matching(text: string, { ofGroup, names }: Pattern, metricOf: (digits: string) => Metric): Metrics[] | null {
  const found: Metrics[] = []
  for (let end = 0; ; end = ofGroup.lastIndex) {
    ofGroup.lastIndex = end
    const match = ofGroup.exec(text)
    if (!match) return end === text.length - 1 ? found : null
    const metrics: Record<string, Metric> = {}
    for (let at = 0; at < names.length; at++) {
      const digits = match[at + 1]
      if (digits !== undefined) metrics[names[at]!] = metricOf(digits)
    }
    found.push(metrics)
  }
}

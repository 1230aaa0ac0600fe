import { type Metrics, noteNames } from './metrics.js'

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
    const found = known && matching(text, known)
    if (found) return found
    const all = parseMetrics(text) as Metrics[]
    for (const metrics of all) noteNames(metrics, there)
    if (!wanted) return all
    known = patternLike(all.find(metrics => Object.keys(metrics).length > 0) ?? {}, wanted)
    return all.map(metrics => onlyThese(metrics, wanted))
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

/** @returns null if not all of the metrics are numbers */
function patternLike(metrics: Metrics, wanted: readonly string[]): Pattern | null {
  const names = Object.keys(metrics)
  const areNumbers = names.every(name => Number.isFinite(metrics[name]))
  // An assignment to the name __proto__ would set no metric.
  if (!areNumbers || names.length > mostNames || names.includes('__proto__')) return null
  const number = '[-\\d][-+.e\\d]*'
  const members = names.map(name => {
    const key = JSON.stringify(name).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    return `${key}:${wanted.includes(name) ? `(${number})` : number}`
  })
  return {
    ofGroup: new RegExp(`[[,]\\{(?:${members.join()})?\\}`, 'y'),
    names: names.filter(name => wanted.includes(name)),
  }
}

/** @returns null if a group has left something else */
function matching(text: string, { ofGroup, names }: Pattern): Metrics[] | null {
  const found: Metrics[] = []
  for (let end = 0; ; end = ofGroup.lastIndex) {
    ofGroup.lastIndex = end
    const match = ofGroup.exec(text)
    if (!match) return end === text.length - 1 ? found : null
    const metrics: Record<string, number> = {}
    for (let at = 0; at < names.length; at++) {
      const number = match[at + 1]
      if (number !== undefined) metrics[names[at]!] = Number(number)
    }
    found.push(metrics)
  }
}

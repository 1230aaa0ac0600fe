import type { Metric } from './metrics.js'

/**
 * What became of a file or a metric of a run when the run was launched again; `added` was not there before, and
 * `unknown` is a file of which only the size is left to compare, and `not_fetched` what one of both runs has elsewhere.
 */
export const verdicts = [
  'identical',
  'within_tolerance',
  'differs',
  'missing',
  'added',
  'unknown',
  'not_fetched',
] as const
export type Verdict = (typeof verdicts)[number]

/** Whether a verdict says that the run was not reproduced. */
export function isDifference(verdict: Verdict): boolean {
  return verdict !== 'identical' && verdict !== 'within_tolerance'
}

/** How many files or metrics have which verdict; those that none has are left out. */
export type VerdictCounts = Readonly<Partial<Record<Verdict, number>>>

export function countVerdicts(all: readonly { readonly verdict: Verdict }[]): VerdictCounts {
  const counts: Partial<Record<Verdict, number>> = {}
  for (const { verdict } of all) counts[verdict] = (counts[verdict] ?? 0) + 1
  return counts
}

/** A file or a metric of a group that differs, or how the group ended. */
export interface KeptDifference {
  readonly group: number
  readonly of: 'file' | 'metric' | 'end'
  /** Empty for an end. */
  readonly name: string
  /** A verdict; of an end, both states. */
  readonly result: string
}

/** How a run that was launched again compared with the first one, as both keep it. */
export interface KeptVerification {
  readonly run: number
  readonly again: number
  /** When they were compared, in milliseconds since the epoch. */
  readonly verified: number
  readonly isReproduced: boolean
  readonly rtol: number
  /** Patterns of files that were not compared. */
  readonly ignore: readonly string[]
  readonly files: VerdictCounts
  readonly metrics: VerdictCounts
  /** The first ones. */
  readonly differences: readonly KeptDifference[]
  /** How many others there were. */
  readonly more: number
  /** What could not be made the same. */
  readonly conditions: readonly string[]
  /** What is not known of the environments of both runs. */
  readonly unknown: readonly string[]
}

/** Numbers as programs print them. */
const number = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|\bnan\b|[-+]?\binf(?:inity)?\b/gi

/**
 * Compares two texts.
 * @param rtol how much numbers may differ, relative to the larger one; all else must be the same
 */
export function compareTexts(one: string, other: string, rtol: number): Verdict {
  if (one === other) return 'identical'
  const [before, after] = [one, other].map(text => ({ numbers: text.match(number) ?? [], rest: text.split(number) }))
  const isClose =
    before!.rest.length === after!.rest.length &&
    before!.rest.every((part, at) => part === after!.rest[at]) &&
    before!.numbers.every((text, at) => areCloseTexts(text, after!.numbers[at]!, rtol))
  return isClose ? 'within_tolerance' : 'differs'
}

/** Compares a metric. @param rtol see {@link compareTexts} */
export function compareMetrics(one: Metric | undefined, other: Metric | undefined, rtol: number): Verdict {
  if (one === undefined) return 'added'
  if (other === undefined) return 'missing'
  const [before, after] = [membersOf(one), membersOf(other)]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  if (names.every(name => Object.is(before[name], after[name]))) return 'identical'
  const isClose = names.every(name => {
    const [a, b] = [before[name], after[name]]
    return Object.is(a, b) || (typeof a === 'number' && typeof b === 'number' && areClose(a, b, rtol))
  })
  return isClose ? 'within_tolerance' : 'differs'
}

/** A number or a text of a metric in two runs; null where there is none. */
export interface MetricPair {
  /** Which one of a series: `last`, `min` …; null for a metric of one value. */
  readonly member: string | null
  readonly before: unknown
  readonly after: unknown
}

/** Of a metric that differs, the first number that does; of any other, its last one. */
export function metricPair(one: Metric | undefined, other: Metric | undefined): MetricPair {
  const isSeries = typeof (one ?? other) === 'object'
  const [before, after] = [one, other].map(metric => (metric === undefined ? {} : membersOf(metric)))
  const names = Object.keys({ ...before, ...after })
  const member = names.find(name => !Object.is(before![name], after![name])) ?? names[0]!
  return { member: isSeries ? member : null, before: before![member] ?? null, after: after![member] ?? null }
}

function membersOf(metric: Metric): Readonly<Record<string, unknown>> {
  return typeof metric === 'object' ? { ...metric } : { value: metric }
}

function areClose(a: number, b: number, rtol: number): boolean {
  if (Object.is(a, b) || a === b) return true
  // Infinity differs from any number by as much as it is large.
  return Number.isFinite(a) && Number.isFinite(b) && Math.abs(a - b) <= rtol * Math.max(Math.abs(a), Math.abs(b))
}

/** Without a tolerance, numbers of more digits than are known here are the same only if they are written in the same way. */
function areCloseTexts(one: string, other: string, rtol: number): boolean {
  if (one === other) return true
  const isExact = [one, other].every(text => text.replace(/e.*|\D/gi, '').length <= 15)
  return (rtol > 0 || isExact) && areClose(numberIn(one), numberIn(other), rtol)
}

function numberIn(text: string): number {
  const infinite = /^([-+]?)inf/i.exec(text)
  if (infinite) return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return Number(text)
}

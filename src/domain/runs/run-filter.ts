import { UserError } from '../../errors.js'
import type { ParameterGrid } from '../parameters/grid.js'
import { hasParameter, type ParameterFilter, readParameterFilter } from '../parameters/parameter-filter.js'
import type { ListedRun } from '../results/best.js'
import { ordered, readSort } from '../results/ordered.js'
import { displayCommand } from '../text/shell-text.js'
import { groupStates, type Run, type RunStatus } from './run.js'

/** A run whose best metrics are known if anything asks for them. */
type MeasuredRun = Run & Partial<Pick<ListedRun, 'best'>>

/** Conditions on runs; empty ones match all. */
export interface RunFilter {
  /** A run must have all of these. */
  readonly tags: readonly string[]
  readonly statuses: readonly RunStatus[]
  /** Names of sites: a run must live at one of them. */
  readonly contexts: readonly string[]
  /** A prefix of the commit. */
  readonly commit: string | null
  /** The earliest launch time, in milliseconds since the epoch. */
  readonly since: number | null
  /** Each of these parameters must be in some group. */
  readonly parameters: readonly ParameterFilter[]
  /** Each of these words must be in the text of the run. */
  readonly words: readonly string[]
  /** The best value of each of these metrics must be so. */
  readonly metrics: readonly MetricCondition[]
}

/** What is asked of a metric, as in `acc > 0.9`. */
export interface MetricCondition {
  readonly text: string
  readonly metric: string
  readonly isMet: (value: number) => boolean
}

interface GivenFilter {
  readonly tag?: string[]
  readonly status?: string[]
  readonly context?: string[]
  readonly commit?: string
  readonly since?: string
  readonly param?: string[]
  readonly search?: string[]
  readonly where?: string[]
}

/** Parses the filters. @throws UserError for an unknown status or time, and for what is no commit or condition */
export function readFilter(given: GivenFilter, now: number): RunFilter {
  return {
    tags: given.tag ?? [],
    statuses: readStatuses(given.status),
    contexts: readContexts(given.context),
    commit: given.commit === undefined ? null : readCommit(given.commit),
    since: given.since === undefined ? null : readSince(given.since, now),
    parameters: (given.param ?? []).map(readParameterFilter),
    words: (given.search ?? []).flatMap(text => text.split(/\s+/)).filter(word => word !== ''),
    metrics: (given.where ?? []).map(readCondition),
  }
}

/** Whether a text contains a word, in large or small letters. */
export function hasWord(text: string, word: string): boolean {
  return text.toLowerCase().includes(word.toLowerCase())
}

/** Words that an option takes, several of them between commas. @throws UserError that names the known ones */
export function readWords<Word extends string>(
  option: string,
  given: readonly string[],
  known: readonly Word[],
): Word[] {
  const words = given.flatMap(text => text.split(','))
  return words.map(word => {
    const found = known.find(each => each === word.trim())
    if (found !== undefined) return found
    throw new UserError(`--${option} ${word}: unknown ${option}`, `use one of ${known.join(', ')}`)
  })
}

/** States of runs or groups, several of them between commas. @throws UserError for an unknown one */
export function readStatuses(given: readonly string[] = []): RunStatus[] {
  return readWords('status', given, groupStates)
}

/** Names of contexts, several of them between commas; runs may be left of one that is gone. */
export function readContexts(given: readonly string[] = []): string[] {
  return given.flatMap(text => text.split(',')).map(name => name.trim())
}

/** The beginning of a hash, in small letters. Other names of commits mean another one tomorrow. */
function readCommit(text: string): string {
  if (/^[0-9a-f]{1,40}$/i.test(text)) return text.toLowerCase()
  throw new UserError(
    `--commit ${text}: not the beginning of a commit's hash`,
    `git rev-parse ${displayCommand([text])}        prints the hash`,
  )
}

const unitsOfTime = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const

/**
 * `3d` ago, or a day or moment as in `2026-11-20` or `2026-11-20T14:00`, in local time.
 * @returns milliseconds since the epoch
 * @throws UserError for other texts
 */
export function readSince(text: string, now: number): number {
  const ago = /^(\d+)([mhdw])$/.exec(text)
  if (ago) return now - Number(ago[1]) * unitsOfTime[ago[2] as keyof typeof unitsOfTime]
  const [, date, clock = 'T00:00'] =
    /^(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.exec(text) ?? []
  // JavaScript takes `3` and `nov 27` for days of 2001, and February 31 for one of March.
  const isDay = date !== undefined && new Date(`${date}T00:00Z`).toJSON()?.startsWith(date)
  const time = isDay ? Date.parse(`${date}${clock.replace(' ', 'T')}`) : Number.NaN
  if (!Number.isNaN(time)) return time
  throw new UserError(`--since ${text}: not a time`, 'write a date such as 2026-11-20, or an age such as 3d, 12h, 30m')
}

const operators: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '=': (value, limit) => value === limit || (Number.isNaN(value) && Number.isNaN(limit)),
  '!=': (value, limit) => !operators['=']!(value, limit),
}

/** `acc > 0.9`, with or without blanks; null for anything else. */
export function parseCondition(text: string): MetricCondition | null {
  const [, metric = '', operator = '', number = ''] =
    /^\s*(.*?[^\s<>=])\s*(>=|<=|!=|>|<|=)\s*([^\s<>=]+)\s*$/.exec(text) ?? []
  const limit = Number(number.replace(/^([-+]?)inf(inity)?$/i, '$1Infinity'))
  const compare = operators[operator]
  const isNumber = /^nan$/i.test(number) ? operator.endsWith('=') && !/[<>]/.test(operator) : !Number.isNaN(limit)
  if (compare === undefined || !isNumber) return null
  return { text, metric, isMet: value => compare(value, limit) }
}

/** The same. @throws UserError for anything else */
export function readCondition(text: string): MetricCondition {
  const parts = text.split(/\s+(?:and|&&?)\s+/i)
  if (parts.length > 1 && parts.every(part => parseCondition(part) !== null)) {
    const options = parts.map(part => `--where ${displayCommand([part])}`)
    throw new UserError(`--where ${text}: one condition at a time`, `write ${options.join(' ')}`)
  }
  const condition = parseCondition(text)
  if (condition !== null) return condition
  throw new UserError(
    `--where ${text}: not a condition`,
    `write a metric, one of ${Object.keys(operators).join(' ')}, and a number: --where 'acc > 0.9'`,
  )
}

/** What to type where a metric is not among those that experiments call best. */
export function bestHint(metrics: readonly string[]): string {
  if (metrics.length > 0) return `the metrics that are declared as best: ${metrics.join(', ')}`
  return 'declare it in the description of the experiment: best: {NAME: max}'
}

/**
 * Refuses conditions and orders by what no experiment calls best.
 * @param metrics for which the experiments of the runs say what is best
 * @throws UserError that names them
 */
export function refuseUnknownMetrics(filter: RunFilter, sort: string | undefined, metrics: readonly string[]): void {
  const unknown = filter.metrics.find(({ metric }) => !metrics.includes(metric))
  if (unknown)
    throw new UserError(`--where ${unknown.text}: no experiment says when ${unknown.metric} is best`, bestHint(metrics))
  if (sort === undefined || isColumn(sort) || metrics.includes(readSort(sort).by)) return
  throw new UserError(
    `--sort ${sort}: runs cannot be sorted by it`,
    `use one of ${[...sortNames, ...metrics].join(', ')}`,
  )
}

/**
 * Whether a run is as a filter says, but for its metrics.
 * @param gridOf the parameters of a run; called only if the filter has parameters
 * @param textOf the text of a run; called only if the filter has words
 */
export function fits(
  run: Run,
  filter: RunFilter,
  gridOf: (run: Run) => ParameterGrid,
  textOf: (run: Run) => string,
): boolean {
  const { tags, statuses, contexts, commit, since, parameters, words } = filter
  if (!tags.every(tag => run.tags.includes(tag))) return false
  if (statuses.length > 0 && !statuses.includes(run.status)) return false
  if (contexts.length > 0 && !contexts.includes(run.site)) return false
  if (commit !== null && !run.commit.startsWith(commit)) return false
  if (since !== null && run.launched < since) return false
  const text = words.length > 0 ? textOf(run) : ''
  if (!words.every(word => hasWord(text, word))) return false
  if (parameters.length === 0) return true
  const grid = gridOf(run)
  return parameters.every(parameter => hasParameter(grid, parameter))
}

/** Whether the best metrics of a run are as a filter says. */
export function meetsConditions({ best: known }: Pick<ListedRun, 'best'>, { metrics }: RunFilter): boolean {
  return metrics.every(({ metric, isMet }) => known?.some(best => best.metric === metric && isMet(best.value)))
}

const sortings = {
  id: (run: Run) => run.id,
  launched: (run: Run) => run.launched,
  started: (run: Run) => run.started ?? Number.POSITIVE_INFINITY,
  finished: (run: Run) => run.finished ?? Number.POSITIVE_INFINITY,
  duration: (run: Run) => (run.started === null ? 0 : (run.finished ?? Date.now()) - run.started),
  progress: (run: Run) => run.progress ?? 0,
} as const

export const sortNames = Object.keys(sortings)

function isColumn(sort: string): boolean {
  return Object.hasOwn(sortings, readSort(sort).by)
}

/** Whether metrics decide which runs are in a list, or in which order. */
export function needsMetrics({ metrics }: RunFilter, sort: string | null): boolean {
  return metrics.length > 0 || (sort !== null && !isColumn(sort))
}

/**
 * Sorts runs by a column or a best metric, ascending; with a `-` before its name descending. Runs without the metric come
 * last.
 */
export function sorted<Each extends MeasuredRun>(runs: readonly Each[], by: string): Each[] {
  const { by: name, isReverse } = readSort(by)
  const figure = Object.hasOwn(sortings, name) ? sortings[name as keyof typeof sortings] : bestOf(name)
  const newest = runs.toSorted((one, other) => other.id - one.id)
  return ordered(newest, newest.map(figure), isReverse)
}

function bestOf(name: string): (run: MeasuredRun) => number | null {
  return ({ best }) => best?.find(({ metric }) => metric === name)?.value ?? null
}

import { UserError } from '../../errors.js'
import { readArguments } from '../parameters/arguments.js'
import { axisPart, type ParameterGrid } from '../parameters/grid.js'
import { rangeIndex } from '../parameters/range.js'
import { groupStates, type Run, type RunStatus } from './run.js'

/** Conditions on runs; empty ones match all. */
export interface RunFilter {
  /** A run must have all of these. */
  readonly tags: readonly string[]
  readonly statuses: readonly RunStatus[]
  /** A prefix of the commit. */
  readonly commit: string | null
  /** The earliest launch time, in milliseconds since the epoch. */
  readonly since: number | null
  /** Each of these parameters must be in some group. */
  readonly parameters: readonly ParameterFilter[]
}

/** A value of an option, or of any option. */
interface ParameterFilter {
  readonly option: string | null
  readonly value: string
}

/** Parses the filters. @throws UserError for an unknown status or time */
export function readFilter(
  given: { tag?: string[]; status?: string[]; commit?: string; since?: string; param?: string[] },
  now: number,
): RunFilter {
  return {
    tags: given.tag ?? [],
    statuses: (given.status ?? []).flatMap(words => words.split(',')).map(readStatus),
    commit: given.commit ?? null,
    since: given.since === undefined ? null : readSince(given.since, now),
    parameters: (given.param ?? []).map(readParameter),
  }
}

function readStatus(word: string): RunStatus {
  const status = groupStates.find(state => state === word.trim())
  if (status) return status
  throw new UserError(`--status ${word}: unknown status`, `use one of ${groupStates.join(', ')}`)
}

const unitsOfTime = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const

/** `3d` ago, or a day or moment as in `2026-11-20` or `2026-11-20T14:00`, in local time. */
function readSince(text: string, now: number): number {
  const ago = /^(\d+)([mhdw])$/.exec(text)
  if (ago) return now - Number(ago[1]) * unitsOfTime[ago[2] as keyof typeof unitsOfTime]
  const time = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text)
  if (!Number.isNaN(time)) return time
  throw new UserError(`--since ${text}: not a time`, 'write a date such as 2026-11-20, or an age such as 3d, 12h, 30m')
}

/** `--lr:0.1`, or a value alone. */
function readParameter(text: string): ParameterFilter {
  const [, option, value] = /^(--?[^:\s]+):(.*)$/s.exec(text) ?? []
  return option === undefined ? { option: null, value: text } : { option, value: value! }
}

/** @param gridOf the parameters of a run; called only if the filter has parameters */
export function isWanted(run: Run, filter: RunFilter, gridOf: (run: Run) => ParameterGrid): boolean {
  const { tags, statuses, commit, since, parameters } = filter
  if (!tags.every(tag => run.tags.includes(tag))) return false
  if (statuses.length > 0 && !statuses.includes(run.status)) return false
  if (commit !== null && !run.commit.startsWith(commit)) return false
  if (since !== null && run.launched < since) return false
  if (parameters.length === 0) return true
  const grid = gridOf(run)
  return parameters.every(parameter => hasParameter(grid, parameter))
}

/** Whether some group of a grid has a parameter, without computing the groups. */
export function hasParameter(grid: ParameterGrid, { option, value }: ParameterFilter): boolean {
  const isIn = (words: readonly string[]) =>
    Array.from(readArguments(words)).some(each => each.value === value && (option === null || each.option === option))
  const isPositional = (positional: Readonly<Record<string, string>> | undefined) =>
    option === null && Object.values(positional ?? {}).includes(value)
  const isPart = (part: { args: readonly string[]; positional?: Readonly<Record<string, string>> }) =>
    isIn(part.args) || isPositional(part.positional)
  if (isPart(fixedPart(grid)) || grid.groups.some(isPart)) return true
  return grid.axes.some(axis => {
    if ('parts' in axis) return axis.parts.some(isPart)
    const index = rangeIndex(axis, value)
    return index !== null && isPart(axisPart(axis, index))
  })
}

/** The arguments of all groups, without options that every group replaces. */
function fixedPart({ fixed, groups }: ParameterGrid): ParameterGrid['fixed'] {
  const optionsOf = (args: readonly string[]) => new Set(Array.from(readArguments(args), argument => argument.option))
  const given = groups.map(group => optionsOf(group.args))
  const args = Array.from(readArguments(fixed.args))
    .filter(({ option }) => option === null || given.length === 0 || !given.every(options => options.has(option)))
    .flatMap(({ words }) => words)
  return { ...fixed, args }
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

/** Sorts runs by a column, ascending; with a `-` before its name descending. @throws UserError for an unknown column */
export function sorted(runs: readonly Run[], by: string): Run[] {
  const isReverse = by.startsWith('-')
  const name = by.replace(/^-/, '')
  if (!Object.hasOwn(sortings, name)) {
    throw new UserError(`--sort ${by}: runs cannot be sorted by it`, `use one of ${sortNames.join(', ')}`)
  }
  const figure = sortings[name as keyof typeof sortings]
  const order = isReverse ? -1 : 1
  return [...runs].sort((one, other) => order * (figure(one) - figure(other)) || other.id - one.id)
}

import { groupBy } from '../group-by.js'
import { isDoubleText } from '../parameters/same-value.js'
import type { GroupState, Usage } from '../runs/run.js'
import {
  columnsOf,
  numbersOfEqual,
  ofNoCell,
  originNames,
  type ParameterColumn,
  type Parameters,
} from './comparison/columns.js'
import { type Spelling, spellingsIn } from './comparison/spellings.js'
import type { Direction, Metrics, Statistic } from './metrics.js'

/** A group of a run, as far as a comparison looks at it. */
export interface GroupResult {
  readonly run: number
  readonly index: number
  readonly parameters: Parameters
  /** `not_run` stands for a cell of a parameter file of which no run has a group. */
  readonly state: GroupState | 'not_run'
  /** Why it failed or was lost; null for any other. */
  readonly cause: string | null
  /** Seconds from its start to its end; null if they are not known. */
  readonly seconds: number | null
  /** Milliseconds since the epoch; null if it is not known, or was not asked for. */
  readonly started: number | null
  /** Unknown where it was not asked for; missing for a cell that was not run. */
  readonly used?: Usage
  readonly metrics: Metrics
  /** What a group that runs has left so far, which counts in no mean; missing for others, and where nobody has looked. */
  readonly soFar?: Metrics
}

/** A metric to compare. */
export interface MetricChoice {
  readonly name: string
  /** Of a series. */
  readonly statistic: Statistic
  /** Null if it is not known which end is the better one. */
  readonly direction: Direction | null
}

/** How groups are put into cells. */
export interface Grouping {
  /** The parameters that distinguish rows; null for all that vary, without the origins that do not tell cells apart. */
  readonly by: readonly string[] | null
  /** The parameters over which a row averages. */
  readonly over: readonly string[]
}

/** Groups that differ only in what is averaged over. */
export interface Cell {
  /** Null where the groups do not have the parameter. */
  readonly parameters: readonly (string | null)[]
  /** The groups that have finished. */
  readonly groups: readonly GroupResult[]
  readonly finished: number
  readonly expected: number
  /** The others by cause or state, the oldest first. */
  readonly missing: ReadonlyMap<string, readonly GroupResult[]>
}

/** The grid of a comparison. */
export interface Comparison {
  readonly by: readonly string[]
  readonly over: readonly string[]
  /** All parameters that differ between groups, and what differs in the origins of those that have finished. */
  readonly varying: readonly string[]
  readonly constants: Parameters
  readonly cells: readonly Cell[]
  readonly spellings: readonly Spelling[]
}

/** Whether an option looks like a seed: `--seed`, `--random_state`, `--data-seed`. */
export function looksLikeSeed(name: string): boolean {
  return /(^|[-_])(seed|random[-_]state|rng)$/i.test(name)
}

/**
 * Puts groups into rows, in the order of the first group of each.
 * @param groups those that count, the oldest first
 * @param all the columns of their parameters, where somebody has them
 */
export function compareGroups(
  groups: readonly GroupResult[],
  grouping: Grouping,
  all = parameterColumns(groups),
): Comparison {
  const columns = columnsOfGroups(groups, all)
  const varying = columns.filter(({ varies }) => varies)
  const over = varying.filter(({ name }) => grouping.over.includes(name))
  const by = grouping.by
    ? grouping.by.flatMap(name => columns.filter(column => column.name === name))
    : varying.filter(column => !over.includes(column) && !ofNoCell.includes(column.name))
  return {
    by: by.map(({ name }) => name),
    over: over.map(({ name }) => name),
    varying: varying.map(({ name }) => name),
    constants: Object.fromEntries(
      columns
        .filter(({ varies, name }) => !(varies || grouping.by?.includes(name) || originNames.includes(name)))
        .map(({ name, texts }) => [name, texts[0]!]),
    ),
    cells: cellsOf(groups, by),
    spellings: spellingsIn(columns.map(({ name, different }) => [name, different])),
  }
}

/** Of an origin, only what differs between results counts: failed attempts with other code tell no results apart. */
function columnsOfGroups(groups: readonly GroupResult[], columns: readonly ParameterColumn[]): ParameterColumn[] {
  const isSame = ({ values }: ParameterColumn) => new Set(values.filter((_, at) => hasFinished(groups[at]!))).size === 1
  return columns.map(column =>
    column.varies && originNames.includes(column.name) && isSame(column) ? { ...column, varies: false } : column,
  )
}

/** The columns of the parameters of groups. */
export function parameterColumns(groups: readonly GroupResult[]): readonly ParameterColumn[] {
  return columnsOf(parametersOf(groups), groups.length)
}

function* parametersOf(groups: readonly GroupResult[]) {
  for (const { parameters } of groups) yield parameters
}

/**
 * The parameters of which all groups have a number that can be drawn, with how many different ones there are. If
 * different values of a parameter are the same double, they are no such numbers.
 */
export function numericParameters(groups: readonly GroupResult[]): Map<string, number> {
  const numeric = parameterColumns(groups).filter(({ name, values, texts }) => {
    if (originNames.includes(name) || !texts.every(isDoubleText) || values.includes(-1)) return false
    return new Set(texts.map(Number)).size === texts.length
  })
  return new Map(numeric.map(({ name, texts }) => [name, texts.length]))
}

/** Whether a group has one of some metrics. */
export function hasOneOf({ metrics }: GroupResult, names: readonly string[]): boolean {
  return names.some(name => Object.hasOwn(metrics, name))
}

function hasFinished({ state }: GroupResult): boolean {
  return state === 'finished'
}

function cellsOf(groups: readonly GroupResult[], by: readonly ParameterColumn[]): Cell[] {
  const numbers = numbersOfEqual(by, groups.length)
  let count = 0
  for (const number of numbers) if (number >= count) count = number + 1
  // The places of the groups, cell by cell: 100,000 lists of them would take much more time.
  const starts = new Int32Array(count + 1)
  for (const number of numbers) starts[number + 1]!++
  for (let cell = 0; cell < count; cell++) starts[cell + 1]! += starts[cell]!
  const next = starts.slice()
  const places = new Int32Array(groups.length)
  for (let at = 0; at < numbers.length; at++) places[next[numbers[at]!]!++] = at
  return Array.from({ length: count }, (_, cell) => {
    return new GridCell(groups, by, places, starts[cell]!, starts[cell + 1]!)
  })
}

/** A cell that finds its groups when they are asked for: there may be 100,000 cells, and few are shown. */
class GridCell implements Cell {
  /** @param places of its groups from `first` on, up to `end`; at least one */
  constructor(
    private readonly all: readonly GroupResult[],
    private readonly by: readonly ParameterColumn[],
    private readonly places: Int32Array,
    private readonly first: number,
    private readonly end: number,
  ) {}

  get parameters(): Cell['parameters'] {
    return this.by.map(({ values, texts }) => texts[values[this.places[this.first]!]!] ?? null)
  }

  get groups(): readonly GroupResult[] {
    const members = this.members()
    return members.every(hasFinished) ? members : members.filter(hasFinished)
  }

  get finished(): number {
    let finished = 0
    for (let at = this.first; at < this.end; at++) if (hasFinished(this.all[this.places[at]!]!)) finished++
    return finished
  }

  get expected(): number {
    return this.end - this.first
  }

  get missing(): Cell['missing'] {
    const members = this.members()
    return members.every(hasFinished) ? nothingMissing : missingOf(members)
  }

  /** The oldest first. */
  private members(): GroupResult[] {
    const members: GroupResult[] = []
    for (let at = this.first; at < this.end; at++) members.push(this.all[this.places[at]!]!)
    return members
  }
}

/** One for all cells: there may be 100,000 of them. */
const nothingMissing: ReadonlyMap<string, readonly GroupResult[]> = new Map()

function missingOf(groups: readonly GroupResult[]): Map<string, GroupResult[]> {
  const missing = groups.filter(group => !hasFinished(group))
  return groupBy(missing, ({ cause, state }) => cause ?? state)
}

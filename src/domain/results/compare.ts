import { groupBy } from '../group-by.js'
import { type AreApart, DifferentValues, isDoubleText, parameterTexts } from '../parameters/same-value.js'
import type { GroupState, Usage } from '../runs/run.js'
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
}

type Parameters = Readonly<Record<string, string | readonly string[]>>

/** The parameters that stand for the origins of groups; options have dashes. */
export const originNames: readonly string[] = ['commit', 'executable', 'environment', 'dataset']

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
  /** The parameters that distinguish cells; null for all that vary. */
  readonly by: readonly string[] | null
  /** The parameters over which a cell averages. */
  readonly over: readonly string[]
  /** Whether groups with the same parameters are averaged; otherwise the newest one counts. */
  readonly repeats: boolean
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
  /** How many groups do not count: another one with the same parameters does, the newest that has finished. */
  readonly superseded: number
  /** The parameters of which groups have a number in several ways that count as one value, with these. */
  readonly spellings: readonly { readonly name: string; readonly texts: readonly (readonly string[])[] }[]
}

/** Whether an option looks like a seed: `--seed`, `--random_state`, `--data-seed`. */
export function looksLikeSeed(name: string): boolean {
  return /(^|[-_])(seed|random[-_]state|rng)$/i.test(name)
}

/** Puts groups into cells, in the order of the first group of each. @param groups the oldest first */
export function compareGroups(groups: readonly GroupResult[], grouping: Grouping, areApart: AreApart): Comparison {
  const columns = columnsOf(groups, areApart)
  const varying = columns.filter(({ varies }) => varies)
  const over = varying.filter(({ name }) => grouping.over.includes(name))
  const by = grouping.by
    ? grouping.by.flatMap(name => columns.filter(column => column.name === name))
    : varying.filter(column => !over.includes(column))
  const all = numbersOfEqual(varying, groups.length)
  const counted = grouping.repeats ? [...groups.keys()] : newestOfEach(groups, all)
  const numbers = varying.every(column => by.includes(column)) ? all : numbersOfEqual(by, groups.length)
  const cells: number[][] = []
  for (const at of counted) {
    const cell = cells[numbers[at]!]
    if (cell) cell.push(at)
    else cells[numbers[at]!] = [at]
  }
  return {
    by: by.map(({ name }) => name),
    over: over.map(({ name }) => name),
    varying: varying.map(({ name }) => name),
    constants: Object.fromEntries(
      columns
        .filter(({ varies, name }) => !(varies || grouping.by?.includes(name) || originNames.includes(name)))
        .map(({ name, texts }) => [name, texts[0]!]),
    ),
    cells: cells.map(places => new GridCell(groups, by, places)),
    superseded: groups.length - counted.length,
    spellings: columns
      .map(({ name, spellings }) => ({ name, texts: spellings }))
      .filter(({ texts }) => texts.length > 0),
  }
}

/** The values of a parameter, as numbers of the texts that are different. */
interface ParameterColumn {
  readonly name: string
  /** For each group the place of its value in `texts`; -1 if it does not have the parameter. */
  readonly values: Int32Array
  readonly texts: readonly string[]
  readonly spellings: readonly (readonly string[])[]
  readonly varies: boolean
}

function columnsOf(groups: readonly GroupResult[], areApart: AreApart): ParameterColumn[] {
  const columns = new Map<string, { values: Int32Array; different: DifferentValues; count: number }>()
  for (const [at, { parameters }] of groups.entries()) {
    for (const name in parameters) {
      let column = columns.get(name)
      if (!column) {
        const different = differentValues(name, areApart)
        column = { values: new Int32Array(groups.length).fill(-1), different, count: 0 }
        columns.set(name, column)
      }
      column.values[at] = column.different.placeOf(parameters[name]!)
      column.count++
    }
  }
  return [...columns].map(([name, { values, different, count }]) => {
    const varies = different.values.length > 1 || count < groups.length
    return {
      name,
      values,
      texts: parameterTexts(different.values),
      spellings: different.spellings(),
      varies: varies && !(originNames.includes(name) && isSameOfResults(groups, values)),
    }
  })
}

/** Whether a column is the same for all groups that have finished: failed attempts with other code tell no results apart. */
function isSameOfResults(groups: readonly GroupResult[], values: Int32Array): boolean {
  const found = new Set(values.filter((_, at) => hasFinished(groups[at]!)))
  return found.size === 1
}

/** The different values of a parameter or an origin: the hash of a commit may happen to look like a number. */
export function differentValues(name: string, areApart: AreApart): DifferentValues {
  return new DifferentValues(name, originNames.includes(name) ? () => true : areApart)
}

/**
 * The parameters of which all groups have a number that can be drawn, with how many different ones there are. If
 * different values of a parameter are the same double, they are no such numbers.
 */
export function numericParameters(groups: readonly GroupResult[], areApart: AreApart): Map<string, number> {
  const numeric = columnsOf(groups, areApart).filter(({ name, values, texts }) => {
    if (originNames.includes(name) || !texts.every(isDoubleText) || values.includes(-1)) return false
    return new Set(texts.map(Number)).size === texts.length
  })
  return new Map(numeric.map(({ name, texts }) => [name, texts.length]))
}

/** A number for each group: the same for those with the same values in all columns, counted up in the order of the first ones. */
function numbersOfEqual(columns: readonly ParameterColumn[], count: number): Int32Array {
  const [first, ...others] = columns
  // If every group has the first parameter, its values are such numbers already.
  const isNumbered = first !== undefined && !first.values.includes(-1)
  const numbers = isNumbered ? first.values.slice() : new Int32Array(count)
  for (const { values, texts } of isNumbered ? others : columns) {
    const known = new Map<number, number>()
    for (let at = 0; at < count; at++) {
      const key = numbers[at]! * (texts.length + 1) + values[at]! + 1
      const number = known.get(key) ?? known.size
      if (number === known.size) known.set(key, number)
      numbers[at] = number
    }
  }
  return numbers
}

/**
 * The places of the newest of each groups with the same number, in the order of the first ones; a finished one wins.
 * @param numbers of the groups
 */
function newestOfEach(groups: readonly GroupResult[], numbers: Int32Array): number[] {
  const newest: number[] = []
  for (let at = 0; at < groups.length; at++) {
    const known = newest[numbers[at]!]
    if (known === undefined || hasFinished(groups[at]!) || !hasFinished(groups[known]!)) newest[numbers[at]!] = at
  }
  return newest
}

/** Whether a group has one of some metrics. */
export function hasOneOf({ metrics }: GroupResult, names: readonly string[]): boolean {
  return names.some(name => Object.hasOwn(metrics, name))
}

function hasFinished({ state }: GroupResult): boolean {
  return state === 'finished'
}

/** A cell that finds its groups when they are asked for: there may be 100,000 cells, and few are shown. */
class GridCell implements Cell {
  /** @param places of its groups, and at least one */
  constructor(
    private readonly all: readonly GroupResult[],
    private readonly by: readonly ParameterColumn[],
    private readonly places: readonly number[],
  ) {}

  get parameters(): Cell['parameters'] {
    return this.by.map(({ values, texts }) => texts[values[this.places[0]!]!] ?? null)
  }

  get groups(): readonly GroupResult[] {
    const members = this.members()
    return members.every(hasFinished) ? members : members.filter(hasFinished)
  }

  get finished(): number {
    let finished = 0
    for (const place of this.places) if (hasFinished(this.all[place]!)) finished++
    return finished
  }

  get expected(): number {
    return this.places.length
  }

  get missing(): Cell['missing'] {
    const members = this.members()
    return members.every(hasFinished) ? nothingMissing : missingOf(members)
  }

  /** The oldest first. */
  private members(): GroupResult[] {
    if (this.places.length === 1) return [this.all[this.places[0]!]!]
    return this.places.toSorted((one, other) => one - other).map(at => this.all[at]!)
  }
}

/** One for all cells: there may be 100,000 of them. */
const nothingMissing: ReadonlyMap<string, readonly GroupResult[]> = new Map()

function missingOf(groups: readonly GroupResult[]): Map<string, GroupResult[]> {
  const missing = groups.filter(group => !hasFinished(group))
  return groupBy(missing, ({ cause, state }) => cause ?? state)
}

import { isDoubleText } from '../parameters/same-value.js'
import type { Run } from '../runs/run.js'
import { uniqueNames } from '../text/unique-names.js'
import type { GroupResult } from './compare.js'
import { type Metric, numberOf } from './metrics.js'

/** A cell of a table of groups; null if the group does not have it. */
export type CollectedValue = string | number | boolean | null

/**
 * What the cells of a column are: `time` is text in ISO 8601; `mixed` if they are of several kinds, `mixed_integer` if all
 * numbers among them are whole.
 */
export type ColumnType = 'integer' | 'number' | 'boolean' | 'text' | 'time' | 'mixed' | 'mixed_integer'

/** A column of a table. */
export interface TableColumn<Row> {
  /**
   * Unique in the table, whatever its case. It is the name of the parameter or the metric, if no other column has that.
   */
  readonly name: string
  /** The name of the parameter or the metric, which another column may have, too. */
  readonly of: string
  readonly type: ColumnType
  readonly value: (row: Row) => CollectedValue
}

/** A column of a table of groups. */
export type CollectedColumn = TableColumn<GroupResult>

type Unnamed = Omit<CollectedColumn, 'name'>
type Kinds = Map<string, Set<string>>
type CodeOfRuns = ReadonlyMap<number, Pick<Run, 'commit' | 'dirty' | 'codeUsed'>>

/**
 * The columns of a table of groups: what is known of each group, then parameters and metrics in the order in which they
 * first appear.
 * @param groups some at a time
 * @param runs by their ids
 */
export function collectedColumns(groups: Iterable<readonly GroupResult[]>, runs: CodeOfRuns): CollectedColumn[] {
  return named([...knownColumns(runs), ...unnamedColumns(groups)])
}

/** Only the columns of parameters and metrics. */
export function resultColumns(groups: readonly GroupResult[]): CollectedColumn[] {
  return named(unnamedColumns([groups]))
}

function unnamedColumns(groups: Iterable<readonly GroupResult[]>): Unnamed[] {
  const parameters: Kinds = new Map()
  const metrics: Kinds = new Map()
  for (const some of groups) {
    for (const group of some) {
      noteParameters(parameters, group)
      for (const name in group.metrics) kindsIn(metrics, name).add(typeof group.metrics[name])
    }
  }
  return [
    ...[...parameters].map(([name, kinds]) => parameterColumn(name, kinds)),
    ...[...metrics].flatMap(([name, kinds]) => metricColumns(name, kinds)),
  ]
}

/** A row that belongs to a group, with cells by the names of their columns. */
export interface GroupRow {
  readonly group: GroupResult
  readonly cells: Readonly<Record<string, CollectedValue>>
}

/** A column between the parameters of a group and the cells of its rows. */
export interface MiddleColumn<Row> {
  readonly of: string
  readonly value: (row: Row) => CollectedValue
}

/** The columns of rows that belong to groups: the group and its parameters, then others, then all that the rows have. */
export function rowColumns<Row extends GroupRow>(
  rows: Iterable<readonly Row[]>,
  middle: readonly MiddleColumn<Row>[],
): TableColumn<Row>[] {
  const parameters: Kinds = new Map()
  const between: Kinds = new Map(middle.map(({ of }) => [of, new Set()]))
  const own: Kinds = new Map()
  let last: GroupResult | null = null
  for (const some of rows) {
    for (const row of some) {
      const { group, cells } = row
      if (group !== last) noteParameters(parameters, group)
      last = group
      for (const { of, value } of middle) noteCell(between, of, value(row))
      for (const name in cells) noteCell(own, name, cells[name]!)
    }
  }
  const ofGroup = [
    ...knownColumns(new Map()).filter(({ of }) => ['run', 'group', 'status'].includes(of)),
    ...[...parameters].map(([name, kinds]) => parameterColumn(name, kinds)),
  ].map(column => ({ ...column, value: ({ group }: Row) => column.value(group) }))
  return named([
    ...ofGroup,
    ...middle.map(({ of, value }) => ({ of, type: typeOf(between.get(of)!), value })),
    ...[...own].map(([of, kinds]) => ({
      of,
      type: typeOf(kinds),
      value: ({ cells }: Row) => (Object.hasOwn(cells, of) ? cells[of]! : null),
    })),
  ])
}

function noteCell(all: Kinds, name: string, cell: CollectedValue): void {
  if (cell !== null) kindsIn(all, name).add(kindOf(cell))
}

function kindOf(cell: NonNullable<CollectedValue>): string {
  return typeof cell === 'number' && Number.isSafeInteger(cell) ? 'integer' : typeof cell
}

function noteParameters(parameters: Kinds, group: GroupResult): void {
  for (const name in group.parameters) kindsIn(parameters, name).add(kindOfText(parameterText(group, name)!))
}

function named<Column extends { readonly of: string }>(columns: readonly Column[]): (Column & { name: string })[] {
  // SQLite has no names with this character.
  const names = uniqueNames(columns.map(({ of }) => of.replaceAll('\0', '\\0')))
  return columns.map((column, at) => ({ ...column, name: names[at]! }))
}

function kindsIn(all: Kinds, name: string): Set<string> {
  const known = all.get(name)
  if (known) return known
  const kinds = new Set<string>()
  all.set(name, kinds)
  return kinds
}

function knownColumns(runs: CodeOfRuns): Unnamed[] {
  const time = timeTexts()
  return [
    { of: 'run', type: 'integer', value: group => group.run },
    { of: 'group', type: 'integer', value: group => group.index },
    { of: 'status', type: 'text', value: group => group.state },
    { of: 'cause', type: 'text', value: group => group.cause },
    { of: 'commit', type: 'text', value: group => runs.get(group.run)?.commit ?? null },
    { of: 'dirty', type: 'boolean', value: group => runs.get(group.run)?.dirty ?? null },
    { of: 'code_used', type: 'text', value: group => runs.get(group.run)?.codeUsed ?? null },
    { of: 'started', type: 'time', value: group => time(group.started) },
    { of: 'duration_s', type: 'number', value: group => group.seconds },
    { of: 'peak_memory_bytes', type: 'integer', value: group => group.used?.peakMemory ?? null },
    { of: 'cpu_s', type: 'number', value: group => group.used?.cpuTime ?? null },
  ]
}

/** A function that writes times in ISO 8601. Many groups start in the same second: it is written once for them. */
function timeTexts(): (milliseconds: number | null) => string | null {
  let second = Number.NaN
  let text = ''
  return milliseconds => {
    if (milliseconds === null) return null
    const inSecond = Math.floor(milliseconds / 1000)
    if (inSecond !== second) {
      second = inSecond
      text = new Date(inSecond * 1000).toISOString().slice(0, -4)
    }
    return `${text}${String(milliseconds - inSecond * 1000).padStart(3, '0')}Z`
  }
}

/** The values of a repeated option have blanks between them. */
function parameterText({ parameters }: GroupResult, name: string): string | undefined {
  const value = parameters[name]
  return typeof value === 'string' ? value : value?.join(' ')
}

/**
 * Numbers are written as programs write them, with so few digits that none is lost, and a double stands for them; an option
 * without a value is a flag.
 */
function kindOfText(text: string): string {
  if (text === '') return 'boolean'
  if (!isDoubleText(text) || !/^-?(0|[1-9]\d{0,14})(\.\d+)?(e[-+]?\d{1,3})?$/i.test(text)) return 'string'
  return /^-?\d+$/.test(text) ? 'integer' : 'number'
}

function parameterColumn(of: string, kinds: ReadonlySet<string>): Unnamed {
  const type = typeOf(kinds)
  const typed = (text: string, kind: string) => {
    if (kind === 'integer' || kind === 'number') return Number(text)
    return kind === 'boolean' ? true : text
  }
  const isMixed = type === 'mixed' || type === 'mixed_integer'
  const value = (group: GroupResult) => {
    const text = parameterText(group, of)
    return text === undefined ? null : typed(text, isMixed ? kindOfText(text) : type)
  }
  return { of, type, value }
}

/** A series has columns for its last, its smallest and its largest value. */
function metricColumns(name: string, kinds: ReadonlySet<string>): Unnamed[] {
  const metricOf = ({ metrics }: GroupResult): Metric | undefined =>
    Object.hasOwn(metrics, name) ? metrics[name] : undefined
  const last: Unnamed = {
    of: name,
    type: typeOf(kinds),
    value: group => {
      const metric = metricOf(group)
      return typeof metric === 'object' ? metric.last : (metric ?? null)
    },
  }
  const range = (['min', 'max'] as const).map(
    (statistic): Unnamed => ({
      of: `${name}:${statistic}`,
      type: 'number',
      value: group => numberOf(metricOf(group), statistic),
    }),
  )
  return kinds.has('object') ? [last, ...range] : [last]
}

/** A series is a number for its cells. */
function typeOf(kinds: ReadonlySet<string>): ColumnType {
  const only = (...allowed: string[]) => [...kinds].every(kind => allowed.includes(kind))
  if (only('integer')) return 'integer'
  if (only('integer', 'number', 'object')) return 'number'
  if (only('boolean')) return 'boolean'
  if (only('string')) return 'text'
  return only('integer', 'boolean', 'string') ? 'mixed_integer' : 'mixed'
}

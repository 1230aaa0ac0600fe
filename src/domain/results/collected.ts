import { isDoubleText } from '../parameters/same-value.js'
import type { Run } from '../runs/run.js'
import { uniqueNames } from '../text/unique-names.js'
import {
  type CollectedValue,
  type ColumnType,
  type Kinds,
  kindOf,
  kindsIn,
  type NotFinite,
  noteMetric,
  notFiniteIn,
  ofRange,
  typeOf,
} from './column-kinds.js'
import type { GroupResult } from './compare.js'
import { type Metric, numberOf } from './metrics.js'

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
  /** The same, but a parameter as it was typed: a text, or true for a flag. */
  readonly typed: (row: Row) => CollectedValue
  /** A number whose last zeros are not in its value, such as the release 3.10; null if there is none. */
  readonly shortened: string | null
  /** Which of these are among its numbers. */
  readonly notFinite: readonly NotFinite[]
}

/** A column of a table of groups. */
export type CollectedColumn = TableColumn<GroupResult>

type Unnamed = Omit<CollectedColumn, 'name'>

interface KnownTexts {
  readonly kinds: Set<string>
  /** As they come: only few tables have to look into them. */
  readonly integers: string[]
  /** The texts of other numbers. */
  readonly numbers: Map<number, string>
  /** Whether a number is there in two ways. */
  isApart: boolean
  shortened: string | null
}
type Parameters = Map<string, KnownTexts>
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
  const parameters: Parameters = new Map()
  const metrics: Kinds = new Map()
  for (const some of groups) {
    for (const group of some) {
      noteParameters(parameters, group)
      for (const name in group.metrics) noteMetric(kindsIn(metrics, name), group.metrics[name]!)
    }
  }
  return [
    ...[...parameters].map(([name, known]) => parameterColumn(name, known)),
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
  const parameters: Parameters = new Map()
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
    ...[...parameters].map(([name, known]) => parameterColumn(name, known)),
  ].map(column => ({
    ...column,
    value: ({ group }: Row) => column.value(group),
    typed: ({ group }: Row) => column.typed(group),
  }))
  return named([
    ...ofGroup,
    ...middle.map(({ of, value }) => plain(of, between.get(of)!, value)),
    ...[...own].map(([of, kinds]) => ownColumn<Row>(of, kinds)),
  ])
}

/** JSON Lines may have words for NaN and infinity as texts. */
function ownColumn<Row extends GroupRow>(of: string, kinds: ReadonlySet<string>) {
  const isNumber = typeOf(kinds) === 'number'
  return plain(of, kinds, ({ cells }: Row) => {
    const cell = Object.hasOwn(cells, of) ? cells[of]! : null
    return isNumber && typeof cell === 'string' ? Number(cell) : cell
  })
}

/** A column of what nobody has typed. */
function plain<Row>(of: string, kinds: ReadonlySet<string>, value: (row: Row) => CollectedValue) {
  return { of, type: typeOf(kinds), value, typed: value, shortened: null, notFinite: notFiniteIn(kinds) }
}

/** Also of what is missing, so that a column is there if it is empty, and in its place if only its first cells are. */
function noteCell(all: Kinds, name: string, cell: CollectedValue): void {
  const kinds = kindsIn(all, name)
  if (cell !== null) kinds.add(kindOf(cell))
}

function noteParameters(parameters: Parameters, group: GroupResult): void {
  for (const name in group.parameters) {
    let known = parameters.get(name)
    if (!known) {
      known = { kinds: new Set(), integers: [], numbers: new Map(), isApart: false, shortened: null }
      parameters.set(name, known)
    }
    const text = parameterText(group, name)!
    const kind = kindOfText(text)
    known.kinds.add(kind)
    if (text === true) continue
    if (kind === 'integer' && text !== '-0') known.integers.push(text)
    else if (kind === 'integer' || kind === 'number') noteNumber(known, text)
  }
}

/** Notes a number that may be written in other ways; of a whole number only those that are not its digits alone. */
function noteNumber(known: KnownTexts, text: string): void {
  const number = Number(text)
  const earlier = known.numbers.get(number)
  if (earlier === text) return
  if (earlier !== undefined) known.isApart = true
  known.numbers.set(number, text)
  if (/\.\d*0(e|$)/i.test(text)) known.shortened ??= text
}

function isAnyApart({ isApart, integers, numbers }: KnownTexts): boolean {
  if (isApart) return true
  const whole = [...numbers.keys()].filter(Number.isInteger)
  if (whole.length === 0) return false
  const known = new Set(integers)
  return whole.some(number => known.has(String(number)))
}

function named<Column extends { readonly of: string }>(columns: readonly Column[]): (Column & { name: string })[] {
  // SQLite has no names with this character.
  const names = uniqueNames(columns.map(({ of }) => of.replaceAll('\0', '\\0')))
  return columns.map((column, at) => ({ ...column, name: names[at]! }))
}

function knownColumns(runs: CodeOfRuns): Unnamed[] {
  const time = timeTexts()
  return [
    known('run', 'integer', group => group.run),
    known('group', 'integer', group => group.index),
    known('status', 'text', group => group.state),
    known('cause', 'text', group => group.cause),
    known('commit', 'text', group => runs.get(group.run)?.commit ?? null),
    known('dirty', 'boolean', group => runs.get(group.run)?.dirty ?? null),
    known('code_used', 'text', group => runs.get(group.run)?.codeUsed ?? null),
    known('started', 'time', group => time(group.started)),
    known('duration_s', 'number', group => group.seconds),
    known('peak_memory_bytes', 'integer', group => group.used?.peakMemory ?? null),
    known('cpu_s', 'number', group => group.used?.cpuTime ?? null),
  ]
}

function known(of: string, type: ColumnType, value: Unnamed['value']): Unnamed {
  return { of, type, value, typed: value, shortened: null, notFinite: [] }
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

/** The values of a repeated option have blanks between them; true for a flag. */
function parameterText({ parameters }: GroupResult, name: string): string | true | undefined {
  const value = parameters[name]
  return value === '' || (typeof value === 'string' ? value : value?.join(' '))
}

/**
 * Numbers are written as programs write them, with so few digits that none is lost, and a double stands for them; an option
 * without a value is a flag.
 */
function kindOfText(text: string | true): string {
  if (text === true) return 'boolean'
  if (!isDoubleText(text) || !/^-?(0|[1-9]\d{0,14})(\.\d+)?(e[-+]?\d{1,3})?$/i.test(text)) return 'string'
  return /^-?\d+$/.test(text) ? 'integer' : 'number'
}

function parameterColumn(of: string, known: KnownTexts): Unnamed {
  const { kinds, shortened } = known
  const isApart = isAnyApart(known)
  const type = isApart ? (kinds.has('boolean') ? 'mixed' : 'text') : typeOf(kinds)
  const isMixed = type === 'mixed' || type === 'mixed_integer'
  const valueFrom = (text: string | true): CollectedValue => {
    const kind = isMixed ? kindOfText(text) : type
    if (text === true) return true
    if (isApart || (kind !== 'integer' && kind !== 'number')) return text
    const number = Number(text)
    return isMixed && String(number) !== text ? text : number
  }
  return {
    ...{ of, type },
    value: group => {
      const text = parameterText(group, of)
      return text === undefined ? null : valueFrom(text)
    },
    typed: group => parameterText(group, of) ?? null,
    shortened: type === 'number' ? shortened : null,
    notFinite: [],
  }
}

/** A series has columns for its last, its smallest and its largest value. */
function metricColumns(name: string, kinds: ReadonlySet<string>): Unnamed[] {
  const metricOf = ({ metrics }: GroupResult): Metric | undefined =>
    Object.hasOwn(metrics, name) ? metrics[name] : undefined
  const last = plain(name, kinds, (group: GroupResult) => {
    const metric = metricOf(group)
    return typeof metric === 'object' ? metric.last : (metric ?? null)
  })
  const range = (['min', 'max'] as const).map(statistic =>
    plain(`${name}:${statistic}`, ofRange(kinds), (group: GroupResult) => numberOf(metricOf(group), statistic)),
  )
  return kinds.has('object') ? [last, ...range] : [last]
}

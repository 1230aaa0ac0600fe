import type { Table } from '../../domain/results/reading/columns.js'
import { type LineOf, noLine } from '../../domain/results/reading/found.js'
import { beginsNumber, typedValue } from '../../domain/results/reading/values.js'
import { type Delimiter, lineAt, recordsOf } from './records.js'

/**
 * The columns of a table, whatever its delimiter. A row of names among the others begins a part with these columns, as a second
 * start of a script writes them.
 * @param usual the delimiter that its name stands for
 * @param typed what a cell is, see {@link typedValue}
 */
export function readTable<Cell>(text: string, usual: Delimiter, typed: (cell: string) => Cell): Table<Cell | number> {
  const head = headOf(text, usual)
  const { cells, place, unclosed } = recordsOf(text, head.delimiter, head.start)
  const header = head.names ?? [...(head.hasRowNames ? [''] : []), ...(cells.next().value ?? [])]
  if (areNoNames(header)) {
    const problem = { text: noNames, line: lineAt(text, place()) }
    return { columns: new Map(), count: 0, isCut: false, problems: [problem], lineOf: noLine }
  }
  const rows = new Rows<Cell | number>(head.delimiter === ';' ? cell => withDecimalComma(typed(cell)) : typed)
  rows.begin(header, place())
  for (const record of cells) rows.add(record, place())
  const lineOf = (row: number) => lineAt(text, placeOfRow(text, head, header, row))
  return rows.table(text, lineOf, unclosed(), place())
}

const noNames = 'its first line has numbers and no names of columns, so that nothing is read'

/** Only where something is wrong with a row: its place is not kept. */
function placeOfRow(text: string, { names, delimiter, start }: Head, header: readonly string[], row: number): number {
  const { cells, place } = recordsOf(text, delimiter, start)
  if (names === null) cells.next()
  const rows = new Rows(() => null)
  rows.begin(header, start)
  for (const record of cells) {
    rows.add(record, place())
    if (rows.count > row) break
  }
  return place()
}

/** Whether a header has no names. pandas counts columns that have none: 0, 1, 2. */
function areNoNames(names: readonly string[]): boolean {
  const isNumber = (name: string) => typeof typedValue(name) === 'number'
  return names.length > 0 && names.every(isNumber) && !names.every((name, at) => name === String(at))
}

/** In tables of Excel and R that have semicolons, decimals have commas. */
function withDecimalComma<Cell>(value: Cell): Cell | number {
  return typeof value === 'string' && /^\s*[-+]?\d+,\d+(e[-+]?\d+)?\s*$/i.test(value)
    ? Number(value.replace(',', '.'))
    : value
}

interface Head {
  readonly delimiter: Delimiter
  /** Those in a comment; null if they are in the first line that is none. */
  readonly names: readonly string[] | null
  /** Whether the rows begin with a cell above which there is no name, as those of R's write.table do. */
  readonly hasRowNames: boolean
  /** Where that line begins. */
  readonly start: number
}

/** How a table begins: with its names, or with a comment that has them before a line of numbers. Other comments are skipped. */
function headOf(text: string, usual: Delimiter): Head {
  const { comment, lines, start } = firstLines(text)
  const [first = '', second] = lines
  if (comment !== null) {
    const delimiter = delimiterOf(comment, first, usual)
    const [names, row] = [comment, first].map(line => cellsIn(line, delimiter))
    const isHeader = first === '' || (names!.length === row!.length && areNumbers(row!) && !areNumbers(names!))
    if (isHeader) return { delimiter, names: names!, hasRowNames: false, start }
  }
  const delimiter = delimiterOf(first, second, usual)
  return { delimiter, names: null, hasRowNames: areNamed(first, second, delimiter), start }
}

/** Whether a row begins with its name, in quotes, above which there is none. */
function areNamed(header: string, row: string | undefined, delimiter: Delimiter): boolean {
  return row?.startsWith('"') === true && cellsIn(row, delimiter).length === cellsIn(header, delimiter).length + 1
}

const lineEnd = /[\r\n]/g

/** The last comment before a table, and its first two lines, with the place of the first one. */
function firstLines(text: string): { comment: string | null; lines: string[]; start: number } {
  const lines: string[] = []
  let comment: string | null = null
  let start = text.length
  for (let begin = 0; begin < text.length && lines.length < 2; ) {
    lineEnd.lastIndex = begin
    const end = lineEnd.exec(text)?.index ?? text.length
    const line = text.slice(begin, end)
    const isComment = lines.length === 0 && isCommentLine(line)
    if (isComment) comment = withoutMark(line)
    else if (line.trim() !== '') {
      if (lines.length === 0) start = begin
      lines.push(line)
    }
    begin = end + 1
  }
  return { comment, lines, start }
}

/** A column may have the name `#`. */
function isCommentLine(line: string): boolean {
  return /^\s*#(?![,;\t])/.test(line)
}

function withoutMark(line: string): string {
  return line.replace(/^\s*#+\s*/, '')
}

/** The usual delimiter, unless another one makes as many cells of the first row as of the header. */
function delimiterOf(header: string, row: string | undefined, usual: Delimiter): Delimiter {
  if (header.includes(usual)) return usual
  const isWhole = (delimiter: Delimiter) => {
    const [names, cells] = [header, row ?? header].map(line => cellsIn(line, delimiter))
    const isFull = names!.length === cells!.length || areNamed(header, row, delimiter)
    // Blanks are in names and texts, too.
    return (
      names!.length > 1 && isFull && (delimiter !== ' ' || areNumbers(cells!) || /^"[^"]*"( "[^"]*")+$/.test(header))
    )
  }
  return (['\t', ',', ';', ' '] as const).find(isWhole) ?? usual
}

function cellsIn(line: string, delimiter: Delimiter): string[] {
  const cells = recordsOf(line, delimiter).cells.next().value ?? []
  return cells.map(cell => cell.trim())
}

function areNumbers(cells: readonly string[]): boolean {
  return cells.every(cell => typeof withDecimalComma(typedValue(cell)) === 'number')
}

/** Collects the rows of a table. Rows with more or fewer cells than the names above them are half-written. */
class Rows<Cell> {
  private readonly columns = new Map<string, (Cell | null)[]>()
  /** Where the cells of a row belong; null for a second column of the same name. */
  private places: ((Cell | null)[] | null)[] = []
  count = 0
  private broken = 0
  private firstBroken = 0
  /** Broken rows since the last whole one. */
  private brokenLast = 0
  private twice: { readonly name: string; readonly place: number } | null = null
  private parts = 0

  constructor(private readonly typed: (text: string) => Cell) {}

  /** @param place where they are in the text */
  begin(names: readonly string[], place: number): void {
    this.parts++
    const seen = new Set<string>()
    this.places = names.map(each => {
      const name = each.trim()
      if (seen.size === seen.add(name).size) {
        if (name !== '') this.twice ??= { name, place }
        return null
      }
      const column = this.columns.get(name) ?? []
      this.columns.set(name, column)
      return column
    })
  }

  /** @param place where it is in the text */
  add(record: readonly string[], place: number): void {
    const { places, count } = this
    if (this.isHeader(record))
      this.begin(
        record.map((cell, at) => (at === 0 ? withoutMark(cell) : cell)),
        place,
      )
    else if (record.length !== places.length) {
      if (isCommentLine(record[0]!)) return
      if (this.broken++ === 0) this.firstBroken = place
      this.brokenLast++
    } else {
      for (let at = 0; at < places.length; at++) {
        const column = places[at]
        if (!column) continue
        const value = this.typed(record[at]!)
        // A text that comes again is kept once.
        column[count] = typeof value === 'string' && value === column[count - 1] ? column[count - 1]! : value
      }
      this.count++
      this.brokenLast = 0
    }
  }

  /** Whether a row has names alone, of which the first or most are names of columns. */
  private isHeader(record: readonly string[]): boolean {
    const first = record[0]!
    // Most rows begin with a number, and need no closer look.
    if (first === '' || beginsNumber(first)) return false
    const names = record.map((cell, at) => (at === 0 ? withoutMark(cell) : cell).trim())
    const known = names.filter(name => this.columns.has(name)).length
    if (!this.columns.has(names[0]!) && known * 2 <= names.length) return false
    return names.every(name => typeof typedValue(name) === 'string') && new Set(names).size === names.length
  }

  /** @param unclosed how many lines are not read since a quote has no end @param last the place of the last line that was read */
  table(text: string, lineOf: LineOf, unclosed: number, last: number): Table<Cell> {
    const { broken, twice } = this
    const isEnded = /[\r\n]\s*$/.test(text.slice(-100))
    const columns = [...this.columns].map(([name, cells]): [string, readonly (Cell | null)[]] => {
      if (this.parts > 1) for (let at = 0; at < this.count; at++) cells[at] ??= null
      return [name, cells]
    })
    const lost = this.brokenLast + unclosed
    const problems: [text: string, place: number][] = []
    if (broken > 0) problems.push([`${broken === 1 ? '1 row is' : `${broken} rows are`} not whole`, this.firstBroken])
    if (unclosed > 0)
      problems.push([
        `a quote has no end, and ${unclosed === 1 ? '1 line is' : `${unclosed} lines are`} not read`,
        last,
      ])
    if (twice) problems.push([`the column '${twice.name}' is there twice, and the first one counts`, twice.place])
    return {
      columns: new Map(columns),
      count: this.count,
      lineOf,
      isCut: lost > (isEnded ? 0 : 1),
      problems: problems.map(([problem, place]) => ({ text: problem, line: lineAt(text, place) })),
    }
  }
}

import type { Table } from '../../domain/results/reading/columns.js'
import { noLine } from '../../domain/results/reading/found.js'
import { typedValue } from '../../domain/results/reading/values.js'
import { type Delimiter, lineAt, recordsOf } from './records.js'
import { isCommentLine, Rows, withoutMark } from './table-rows.js'

/**
 * The columns of a table, whatever its delimiter. A row of names among the others begins a part with these columns, as a second
 * start of a script writes them.
 * @param usual the delimiter that its name stands for
 * @param typed what a cell is, see {@link typedValue}
 */
export function readTable<Cell>(text: string, usual: Delimiter, typed: (cell: string) => Cell): Table<Cell | number> {
  const head = headOf(text, usual)
  const { cells, place, unclosed } = recordsOf(text, head.delimiter, head.start)
  const header = headerOf(head, cells)
  if (areNoNames(header)) {
    const problem = { text: noNames, line: lineAt(text, place()) }
    return { columns: new Map(), count: 0, isCut: false, problems: [problem], lineOf: noLine }
  }
  const rows = new Rows<Cell | number>(cellOf(head, typed))
  rows.begin(header, place())
  for (const record of cells) rows.add(record, place())
  return rows.table({
    ...{ unclosed: unclosed(), last: place(), isEnded: /[\r\n]\s*$/.test(text.slice(-100)) },
    lineAt: at => lineAt(text, at),
    lineOf: row => lineAt(text, placeOfRow(text, head, header, row)),
  })
}

/** A table that grows: more lines are added to what was read before. */
export class GrowingTable {
  /** Null as long as there is no header with a line below it. */
  private rows: Rows<ReturnType<typeof typedValue>> | null = null
  private delimiter: Delimiter

  /** @param usual see {@link readTable} */
  constructor(usual: Delimiter) {
    this.delimiter = usual
  }

  /**
   * @param text whole lines
   * @returns how much of it was read: what begins with a quote without an end, or a header alone, has to come again with more
   */
  add(text: string): number {
    const head = this.rows === null ? headOf(text, this.delimiter) : { start: 0, delimiter: this.delimiter }
    const { cells, place, unclosed } = recordsOf(text, head.delimiter, head.start)
    if ('names' in head) {
      if (firstLines(text).lines.length < 2) return 0
      const header = headerOf(head, cells)
      // All lines are rows of no column.
      this.rows = new Rows(cellOf(head, typedValue))
      this.rows.begin(areNoNames(header) ? [] : header, 0)
      this.delimiter = head.delimiter
    }
    for (const record of cells) this.rows!.add(record, 0)
    return unclosed() > 0 ? place() : text.length
  }

  table(): Table {
    const nowhere = { unclosed: 0, last: 0, isEnded: true, lineAt: noLine, lineOf: noLine }
    return this.rows!.table(nowhere)
  }
}

function headerOf({ names, hasRowNames }: Head, cells: Generator<string[], undefined>): string[] {
  return [...(names ?? [...(hasRowNames ? [''] : []), ...(cells.next().value ?? [])])]
}

function cellOf<Cell>({ delimiter }: Head, typed: (cell: string) => Cell): (cell: string) => Cell | number {
  return delimiter === ';' ? cell => withDecimalComma(typed(cell)) : typed
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

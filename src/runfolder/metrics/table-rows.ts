import type { Table } from '../../domain/results/reading/columns.js'
import type { LineOf } from '../../domain/results/reading/found.js'
import { beginsNumber, typedValue } from '../../domain/results/reading/values.js'

/** A column may have the name `#`. */
export function isCommentLine(line: string): boolean {
  return /^\s*#(?![,;\t])/.test(line)
}

export function withoutMark(line: string): string {
  return line.replace(/^\s*#+\s*/, '')
}

/** What is known of a table once all its rows are there. */
interface Ending {
  /** How many lines are not read since a quote has no end. */
  readonly unclosed: number
  /** The place of the last line that was read. */
  readonly last: number
  /** Whether the last line has its end. */
  readonly isEnded: boolean
  /** The line of a place. */
  readonly lineAt: LineOf
  readonly lineOf: LineOf
}

/** Collects the rows of a table. Rows with more or fewer cells than the names above them are half-written. */
export class Rows<Cell> {
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

  table({ unclosed, last, isEnded, lineAt, lineOf }: Ending): Table<Cell> {
    const { broken, twice } = this
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
      problems: problems.map(([problem, place]) => ({ text: problem, line: lineAt(place) })),
    }
  }
}

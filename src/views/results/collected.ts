import type { TableColumn } from '../../domain/results/collected.js'
import { fewInSentence } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import type { Rendered, Table } from '../../operations/results/collect/collect.js'
import { csvLine, csvLines } from '../render/csv.js'
import type { JsonObject } from '../render/json.js'

/** The formats of tables, by the ends of names of files. SQLite writes its files itself. */
const formats: Readonly<Record<string, () => Promise<Rendered | null>>> = {
  csv: async () =>
    function* ({ columns, rows }) {
      yield csvLine(columns.map(({ name }) => name))
      const values = columns.map(({ typed }) => typed)
      for (const some of rows()) yield csvLines(some, values)
    },
  jsonl: async () =>
    function* ({ columns, rows }) {
      const fields = columns.map(column => ({ key: `${JSON.stringify(column.name)}:`, ...column }))
      for (const some of rows())
        for (const row of some) yield `{${fields.map(field => field.key + jsonText(field, row)).join()}}\n`
    },
  parquet: async () => {
    const { parquetPieces } = await import('../render/parquet.js')
    return ({ columns, rows }) => parquetPieces(columns, rows())
  },
  sqlite: async () => null,
}

/** How a table is written to a file of that name; null for SQLite. @throws UserError for an unknown format */
export function tableFormat(file: string): Promise<Rendered | null> {
  const [, end = ''] = /\.(\w+)$/.exec(file) ?? []
  if (Object.hasOwn(formats, end)) return formats[end]!()
  throw new UserError(`-o ${file}: there is no such format`, `end the name with .${Object.keys(formats).join(', .')}`)
}

/** How many, and of what: `[3, 'group']`. */
export type Count = readonly [number, string]

/** Whether a file of that name consists of texts, so that no kinds of values are needed. */
export function consistsOfTexts(file: string): boolean {
  return file.endsWith('.csv')
}

/** What was written, and which parameters and metrics are in a column of another name. */
export function collectedText<Row>(file: string, { columns }: Table<Row>, counts: readonly Count[]): string {
  const all = [...counts, [columns.length, 'column'] as const]
  const renamed = columns.filter(({ name, of }) => name !== of)
  return [
    `${file}: ${all.map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`).join(', ')}`,
    ...renamed.map(({ name, of }) => `  ${of} is in the column ${name}, since its own name is taken or impossible`),
  ].join('\n')
}

/** The same for programs. */
export function collectedJson<Row>(
  file: string,
  { columns, notes }: Table<Row> & { readonly notes: readonly string[] },
  counts: readonly Count[],
): JsonObject {
  return {
    file,
    ...Object.fromEntries(counts.map(([count, noun]) => [`${noun}s`, count])),
    columns: columns.map(({ name }) => name),
    notes,
  }
}

/** A number of a parameter is written as it was typed, which is JSON, too. JSON has neither NaN nor infinity. */
function jsonText<Row>({ value, typed }: TableColumn<Row>, row: Row): string {
  const cell = value(row)
  if (typeof cell !== 'number') return JSON.stringify(cell)
  const text = typed(row)
  return typeof text === 'string' ? text : Number.isFinite(cell) ? String(cell) : `"${cell}"`
}

/** What a file of that name cannot hold of numbers that were typed; null if there is nothing. */
export function shortenedText<Row>(file: string, { columns }: Table<Row>): string | null {
  if (/\.(csv|jsonl)$/.test(file)) return null
  const lost = columns.filter(({ shortened }) => shortened !== null)
  if (lost.length === 0) return null
  const texts = lost.map(({ name, shortened }) => `${name} ${shortened} is ${Number(shortened)}`)
  return `${file} has numbers, not how they were typed: ${fewInSentence(texts)}; .csv and .jsonl keep that`
}

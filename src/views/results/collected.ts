import { endOf } from '../../domain/documents/product.js'
import type { TableColumn } from '../../domain/results/collected.js'
import type { NotFinite } from '../../domain/results/column-kinds.js'
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
function jsonText<Row>({ type, value, typed }: TableColumn<Row>, row: Row): string {
  const cell = value(row)
  if (cell === null) return 'null'
  // Programs that read such files want one type in a column.
  if (type === 'mixed' || type === 'mixed_integer') return JSON.stringify(String(cell))
  if (typeof cell === 'bigint') return String(cell)
  if (typeof cell !== 'number') return JSON.stringify(cell)
  const text = typed(row)
  return typeof text === 'string' ? text : Number.isFinite(cell) ? String(cell) : 'null'
}

/** What stands in a file for numbers that its format does not have. */
const lacks: Readonly<Record<string, Partial<Record<NotFinite, string>>>> = {
  jsonl: { NaN: 'null', infinity: 'null' },
  sqlite: { NaN: 'NULL' },
}

/** What a file of that name cannot keep. */
export function lostTexts<Row>(file: string, { columns }: Table<Row>): string[] {
  const end = endOf(file)
  const shortened = columns.flatMap(({ name, shortened: text }) =>
    text === null ? [] : [`${name} ${text} is ${Number(text)}`],
  )
  const isTyped = end === 'csv' || end === 'jsonl'
  const missing = Object.entries(lacks[end] ?? {}).flatMap(([kind, word]) => {
    const names = columns.filter(({ notFinite }) => notFinite.includes(kind as NotFinite)).map(({ name }) => name)
    return names.length > 0
      ? [`${file} has no ${kind}: it is ${word} in ${fewInSentence(names)}; .csv and .parquet keep it`]
      : []
  })
  return [
    ...(isTyped || shortened.length === 0
      ? []
      : [`${file} has numbers, not how they were typed: ${fewInSentence(shortened)}; .csv and .jsonl keep that`]),
    ...missing,
  ]
}

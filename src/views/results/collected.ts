import type { CollectedValue } from '../../domain/results/collected.js'
import { UserError } from '../../errors.js'
import type { Rendered, Table } from '../../operations/results/collect/collect.js'
import { csvLine, csvLines } from '../render/csv.js'

/** The formats of tables, by the ends of names of files. SQLite writes its files itself. */
const formats: Readonly<Record<string, () => Promise<Rendered | null>>> = {
  csv: async () =>
    function* ({ columns, rows }) {
      yield csvLine(columns.map(({ name }) => name))
      const values = columns.map(({ value }) => value)
      for (const some of rows()) yield csvLines(some, values)
    },
  jsonl: async () =>
    function* ({ columns, rows }) {
      for (const some of rows()) {
        for (const row of some)
          yield `${JSON.stringify(Object.fromEntries(columns.map(({ name, value }) => [name, finite(value(row))])))}\n`
      }
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
  throw new UserError(
    `-o ${file}: the end of the name says no format`,
    `use one of .${Object.keys(formats).join(', .')}`,
  )
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

/** JSON has neither NaN nor infinity. */
function finite(value: CollectedValue): CollectedValue {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}

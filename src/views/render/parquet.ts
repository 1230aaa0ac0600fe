import type { SchemaElement } from 'hyparquet'
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer'
import type { CollectedValue, ColumnType } from '../../domain/results/column-kinds.js'

interface ParquetColumn<Row> {
  readonly name: string
  readonly type: ColumnType
  readonly value: (row: Row) => CollectedValue
}

type Stored = Omit<SchemaElement, 'name'>

/** How cells are stored, in types of which no reader makes anything else. */
const kinds: Readonly<Record<ColumnType, { type: Stored; stored: (cell: NonNullable<CollectedValue>) => unknown }>> = {
  integer: { type: { type: 'INT64' }, stored: cell => BigInt(cell) },
  number: { type: { type: 'DOUBLE' }, stored: cell => cell },
  boolean: { type: { type: 'BOOLEAN' }, stored: cell => cell },
  text: textKind(),
  // The older TIMESTAMP_MILLIS alone says nothing of UTC, and DuckDB and Polars take it for a time without a zone.
  time: {
    type: {
      ...{ type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    },
    stored: cell => new Date(cell as string),
  },
  mixed: textKind(),
  mixed_integer: textKind(),
}

function textKind() {
  return { type: { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, stored: String } as const
}

/** Rows that are compressed together, and in memory at a time. */
const rowsAtOnce = 10_000

/** A table as a Parquet file, in pieces. @param rows some at a time */
export function* parquetPieces<Row>(
  columns: readonly ParquetColumn<Row>[],
  rows: Iterable<readonly Row[]>,
): Generator<Uint8Array> {
  const writer = new ByteWriter()
  const schema: SchemaElement[] = [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, type }) => ({ name, ...kinds[type].type, repetition_type: 'OPTIONAL' as const })),
  ]
  const file = new ParquetWriter({ writer, schema, createdBy: 'qanat' })
  const write = (some: readonly Row[]) => {
    file.write({ columnData: columns.map(column => columnData(column, some)), rowGroupSize: rowsAtOnce })
    return written(writer)
  }
  let held: Row[] = []
  for (const some of rows) {
    // One by one: a call takes only so many arguments.
    for (const row of some) held.push(row)
    if (held.length < rowsAtOnce) continue
    yield write(held)
    held = []
  }
  if (held.length > 0) yield write(held)
  file.finish()
  yield written(writer)
}

function columnData<Row>({ name, type, value }: ParquetColumn<Row>, rows: readonly Row[]): ColumnSource {
  const { stored } = kinds[type]
  const data = rows.map(row => {
    const cell = value(row)
    return cell === null ? null : stored(cell)
  })
  // Left to itself, the writer takes another encoding for booleans, of which fastparquet reads no column with nulls.
  return { name, data, ...(type === 'boolean' && { encoding: 'PLAIN' as const }) }
}

function written(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice()
  writer.index = 0
  return bytes
}

import { type BasicType, ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import type { ColumnType } from '../../domain/results/collected.js'

interface ParquetColumn<Row> {
  readonly name: string
  readonly type: ColumnType
  readonly value: (row: Row) => string | number | boolean | null
}

type Cell = ReturnType<ParquetColumn<never>['value']>

const kinds: Readonly<Record<ColumnType, { type: BasicType; stored: (cell: NonNullable<Cell>) => unknown }>> = {
  integer: { type: 'INT64', stored: cell => BigInt(cell) },
  number: { type: 'DOUBLE', stored: cell => cell },
  boolean: { type: 'BOOLEAN', stored: cell => cell },
  text: { type: 'STRING', stored: cell => cell },
  time: { type: 'TIMESTAMP', stored: cell => new Date(cell as string) },
  mixed: { type: 'STRING', stored: String },
  mixed_integer: { type: 'STRING', stored: String },
}

/** Rows that are compressed together, and in memory at a time. */
const rowsAtOnce = 10_000

/** A table as a Parquet file, in pieces. @param rows some at a time */
export function* parquetPieces<Row>(
  columns: readonly ParquetColumn<Row>[],
  rows: Iterable<readonly Row[]>,
): Generator<Uint8Array> {
  const source = (some: readonly Row[]) => columns.map(column => columnSource(column, some))
  const writer = new ByteWriter()
  const schema = schemaFromColumnData({ columnData: source([]) })
  const file = new ParquetWriter({ writer, schema, createdBy: 'qanat' })
  const write = (some: readonly Row[]) => {
    const columnData = source(some).map(({ name, data }) => ({ name, data }))
    file.write({ columnData, rowGroupSize: rowsAtOnce })
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

function columnSource<Row>({ name, type, value }: ParquetColumn<Row>, rows: readonly Row[]): ColumnSource {
  const { type: basic, stored } = kinds[type]
  const data = rows.map(row => {
    const cell = value(row)
    return cell === null ? null : stored(cell)
  })
  return { name, type: basic, nullable: true, data }
}

function written(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice()
  writer.index = 0
  return bytes
}

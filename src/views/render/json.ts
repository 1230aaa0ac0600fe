import { type Column, nameOf } from '../model.js'

/** What JSON can hold, under its keys. */
export type JsonObject = Record<string, unknown>

/** One row as JSON has it: its columns under their names, in their order. */
export function jsonRow<Row>(columns: readonly Column<Row>[], row: Row): JsonObject {
  const object: JsonObject = {}
  for (const column of columns) {
    if (column.jsonPath === undefined) object[nameOf(column)] = column.value(row)
    else {
      const [outer, inner] = column.jsonPath
      object[outer] = { ...(object[outer] as JsonObject | undefined), [inner]: column.value(row) }
    }
  }
  return object
}

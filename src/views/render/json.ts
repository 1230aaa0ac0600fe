import { type Column, nameOf } from '../model.js'

/** An object in JSON. */
export type JsonObject = Record<string, unknown>

/** A value for JSON, which has neither NaN nor infinity: these become texts. */
export function finiteJson(value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}

/** A row as a JSON object: its columns under their names, in order. */
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

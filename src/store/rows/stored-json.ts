import { DamagedDatabaseError } from '../../errors.js'

/** Shapes of JSON columns, checked as far as their readers rely on them. */
const shapes = {
  texts: value => Array.isArray(value) && value.every(item => typeof item === 'string'),
  numbers: value => Array.isArray(value) && value.every(item => typeof item === 'number'),
  mappings: value => Array.isArray(value) && value.every(isMapping),
  mapping: isMapping,
  definition: value => isMapping(value) && isMapping(value.experiment) && Array.isArray(value.datasetPaths),
  grid: value => isMapping(value) && isMapping(value.fixed) && Array.isArray(value.groups) && Array.isArray(value.axes),
  results: value =>
    isMapping(value) && Array.isArray(value.metrics) && Array.isArray(value.outputs) && isMapping(value.best),
  any: () => true,
} satisfies Record<string, (value: unknown) => boolean>

/** Parses a JSON column. @throws DamagedDatabaseError if it was not written by Qanat */
export function storedJson<Value>(text: string | undefined, column: string, shape: keyof typeof shapes): Value {
  try {
    const value = JSON.parse(text ?? '') as Value
    if (shapes[shape](value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw damaged(`it contains ${column} that Qanat did not write`)
}

/** @param reason the text after "the database of the project is damaged: " */
export function damaged(reason: string): DamagedDatabaseError {
  return new DamagedDatabaseError(`the database of the project is damaged: ${reason}`)
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import type { GridColumn } from '../../parameters/group-parameters.js'
import { DifferentValues, type ParameterValue, parameterTexts } from '../../parameters/same-value.js'

/** The parameters of a group, and what stands for its origin. */
export type Parameters = Readonly<Record<string, ParameterValue>>

/** The parameters that stand for the origins of groups; options have dashes. */
export const originNames: readonly string[] = ['commit', 'executable', 'environment', 'dataset']

/** Those that may differ between groups of one cell: they make rows only where they are asked for. */
export const ofNoCell: readonly string[] = ['commit', 'environment', 'dataset']

/** The values of a parameter, as numbers of the texts that are different. */
export interface ParameterColumn {
  readonly name: string
  /** For each group the place of its value in `texts`; -1 if it does not have the parameter. */
  readonly values: Int32Array
  readonly texts: readonly string[]
  readonly different: readonly ParameterValue[]
  readonly varies: boolean
}

/** The columns of all parameters that groups have. @param count of the groups */
export function columnsOf(groups: Iterable<Parameters>, count: number): ParameterColumn[] {
  const columns = new Columns(count)
  let at = 0
  for (const parameters of groups) {
    for (const name in parameters) {
      const { values, different } = columns.named(name)
      values[at] = different.placeOf(parameters[name]!)
    }
    at++
  }
  return columns.all()
}

/** The parameters of the groups of a run, of which some may be left out. */
export interface RunColumns {
  readonly groups: number
  readonly columns: readonly GridColumn[]
  readonly left?: ReadonlySet<number> | undefined
}

/** The columns of the groups of runs, without a look at the parameters of each. */
export function columnsOfRuns(runs: readonly RunColumns[]): ParameterColumn[] {
  const columns = new Columns(runs.reduce((sum, { groups, left }) => sum + groups - (left?.size ?? 0), 0))
  let first = 0
  for (const { groups, columns: own, left } of runs) {
    const kept = left && [...Array(groups).keys()].filter(index => !left.has(index))
    const count = kept?.length ?? groups
    for (const column of own) columns.put(column, first, count, kept)
    first += count
  }
  return columns.all()
}

class Columns {
  private readonly byName = new Map<string, { values: Int32Array; different: DifferentValues }>()

  /** @param count of the groups */
  constructor(private readonly count: number) {}

  named(name: string) {
    const known = this.byName.get(name)
    if (known) return known
    const column = { values: new Int32Array(this.count).fill(-1), different: new DifferentValues() }
    this.byName.set(name, column)
    return column
  }

  /** Puts the values of a run from the place `first` on. @param kept the indexes of its groups; undefined for all */
  put({ name, stride, values: own }: GridColumn, first: number, count: number, kept?: readonly number[]): void {
    const places = new Int32Array(own.length).fill(-1)
    let column: ReturnType<Columns['named']> | null = null
    for (let at = 0; at < count; at++) {
      const alternative = Math.floor((kept ? kept[at]! : at) / stride) % own.length
      const value = own[alternative]
      if (value === undefined) continue
      column ??= this.named(name)
      if (places[alternative] === -1) places[alternative] = column.different.placeOf(value)
      column.values[first + at] = places[alternative]!
    }
  }

  all(): ParameterColumn[] {
    return [...this.byName].map(([name, { values, different }]) => ({
      ...{ name, values, different: different.values, texts: parameterTexts(different.values) },
      varies: different.values.length > 1 || values.includes(-1),
    }))
  }
}

/** A number for each group: the same for those with the same values in all columns, counted up in the order of the first ones. */
export function numbersOfEqual(columns: readonly ParameterColumn[], count: number): Int32Array {
  const [first, ...others] = columns
  // If every group has the first parameter, its values are such numbers already.
  const isNumbered = first !== undefined && !first.values.includes(-1)
  const numbers = isNumbered ? first.values.slice() : new Int32Array(count)
  let size = isNumbered ? first.texts.length : 1
  for (const { values, texts } of isNumbered ? others : columns) {
    const width = texts.length + 1
    const known = knownNumbers(size * width, count)
    size = 0
    for (let at = 0; at < count; at++) {
      const key = numbers[at]! * width + values[at]! + 1
      let number = known.get(key)
      if (number === undefined) {
        number = size++
        known.set(key, number)
      }
      numbers[at] = number
    }
  }
  return numbers
}

interface KnownNumbers {
  get(key: number): number | undefined
  set(key: number, number: number): unknown
}

/** A list is much faster than a map, and has place for all keys unless few of many combinations are there. */
function knownNumbers(keys: number, count: number): KnownNumbers {
  if (keys > 16 * count) return new Map()
  const list = new Int32Array(keys).fill(-1)
  return {
    get: key => (list[key] === -1 ? undefined : list[key]),
    set: (key, number) => {
      list[key] = number
    },
  }
}

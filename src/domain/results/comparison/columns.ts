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
  const columns = new Map<string, { values: Int32Array; different: DifferentValues; count: number }>()
  let at = 0
  for (const parameters of groups) {
    for (const name in parameters) {
      let column = columns.get(name)
      if (!column) {
        column = { values: new Int32Array(count).fill(-1), different: new DifferentValues(), count: 0 }
        columns.set(name, column)
      }
      column.values[at] = column.different.placeOf(parameters[name]!)
      column.count++
    }
    at++
  }
  return [...columns].map(([name, { values, different, count: having }]) => ({
    name,
    values,
    texts: parameterTexts(different.values),
    different: different.values,
    varies: different.values.length > 1 || having < count,
  }))
}

/** A number for each group: the same for those with the same values in all columns, counted up in the order of the first ones. */
export function numbersOfEqual(columns: readonly ParameterColumn[], count: number): Int32Array {
  const [first, ...others] = columns
  // If every group has the first parameter, its values are such numbers already.
  const isNumbered = first !== undefined && !first.values.includes(-1)
  const numbers = isNumbered ? first.values.slice() : new Int32Array(count)
  for (const { values, texts } of isNumbered ? others : columns) {
    const known = new Map<number, number>()
    for (let at = 0; at < count; at++) {
      const key = numbers[at]! * (texts.length + 1) + values[at]! + 1
      const number = known.get(key) ?? known.size
      if (number === known.size) known.set(key, number)
      numbers[at] = number
    }
  }
  return numbers
}

import type { GridValues } from '../../parameters/group-parameters.js'
import { type ParameterValue, spelledTwice } from '../../parameters/same-value.js'
import { fewInSentence } from '../../text/names.js'
import { originNames } from './columns.js'

/** A parameter of which groups have a number in several ways, which are different values, with these. */
export interface Spelling {
  readonly name: string
  readonly texts: readonly (readonly string[])[]
}

/** The parameters with numbers that are there in several ways. @param values the different ones of each parameter */
export function spellingsIn(values: Iterable<readonly [name: string, values: readonly ParameterValue[]]>): Spelling[] {
  return [...values]
    .filter(([name]) => !originNames.includes(name))
    .map(([name, different]) => ({ name, texts: spelledTwice(different) }))
    .filter(({ texts }) => texts.length > 0)
}

type Values = Pick<GridValues, 'name' | 'values'>

/**
 * Those of a grid whose numbers others have in other words, among those that have no further parameters.
 * @param grid the different values of each of its parameters
 * @param others the same of other grids, or of single groups
 */
export function spellingsBeside(grid: readonly Values[], others: Iterable<readonly Values[]>): Spelling[] {
  const own = new Map(grid.map(({ name, values }) => [name, values]))
  const all = new Map(grid.map(({ name, values }) => [name, [values]]))
  for (const other of others) {
    if (!other.every(({ name }) => own.has(name))) continue
    for (const { name, values } of other) all.get(name)!.push(values)
  }
  const found = spellingsIn([...all].map(([name, lists]) => [name, lists.flat(1)] as const))
  return found.flatMap(({ name, texts }) => {
    const ours = new Set(own.get(name))
    const ofGrid = texts.filter(each => each.some(text => ours.has(text)))
    return ofGrid.length > 0 ? [{ name, texts: ofGrid }] : []
  })
}

/** Says that cells differ only in the words for a number: `--lr: 0.1 and 0.10 are one number, but different cells`. */
export function spellingNote({ name, texts }: Spelling): string {
  const [first, ...more] = texts
  const others = more.length === 0 ? '' : `, and so it is with ${more.length} more`
  return `${name}: ${fewInSentence(first!)} are one number, but different cells${others}`
}

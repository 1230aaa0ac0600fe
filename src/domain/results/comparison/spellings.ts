import type { GridValues } from '../../parameters/group-parameters.js'
import { type ParameterValue, spelledTwice } from '../../parameters/same-value.js'
import { fewInSentence } from '../../text/names.js'
import { originNames, type Parameters } from './columns.js'

/** A parameter of which groups have a number in several ways, which are different values, with these. */
export interface Spelling {
  readonly name: string
  readonly texts: readonly (readonly string[])[]
}

/** The parameters with numbers that are there in several ways. @param values the different ones of each parameter */
export function spellingsIn(
  values: Iterable<readonly [name: string, different: Iterable<ParameterValue>]>,
): Spelling[] {
  return [...values]
    .filter(([name]) => !originNames.includes(name))
    .map(([name, different]) => ({ name, texts: spelledTwice(different) }))
    .filter(({ texts }) => texts.length > 0)
}

/**
 * Those of a grid whose numbers other groups have in other words, among the groups that have no other parameters.
 * @param grid the different values of each of its parameters
 */
export function spellingsBeside(grid: readonly GridValues[], others: readonly Parameters[]): Spelling[] {
  const own = new Map(grid.map(({ name, values }) => [name, new Set(values)]))
  const all = new Map(grid.map(({ name, values }) => [name, new Set(values)]))
  for (const parameters of others) {
    const names = Object.keys(parameters)
    if (names.every(name => own.has(name))) for (const name of names) all.get(name)!.add(parameters[name]!)
  }
  return spellingsIn(all)
    .map(({ name, texts }) => ({ name, texts: texts.filter(each => each.some(text => own.get(name)!.has(text))) }))
    .filter(({ texts }) => texts.length > 0)
}

/** Says that cells differ only in the words for a number: `--lr: 0.1 and 0.10 are one number, but different cells`. */
export function spellingNote({ name, texts }: Spelling): string {
  const [first, ...more] = texts
  const others = more.length === 0 ? '' : `, and so it is with ${more.length} more`
  return `${name}: ${fewInSentence(first!)} are one number, but different cells${others}`
}

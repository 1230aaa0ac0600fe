import { isNumberText } from '../parameters/same-value.js'

/** What a list is sorted by. A `-` before it means from the largest to the smallest, but the dashes of `--lr` are its own. */
export function readSort(sort: string): { readonly by: string; readonly isReverse: boolean } {
  const isReverse = /^-(?!-)|^---/.test(sort)
  return { by: isReverse ? sort.slice(1) : sort, isReverse }
}

/** By their keys: numbers by their value, before texts; what is unknown comes last. Equal ones keep their order. */
export function ordered<Item>(
  items: readonly Item[],
  keys: readonly (number | string | null)[],
  isReverse: boolean,
): Item[] {
  const [numbers, texts, unknown]: [number[], number[], number[]] = [[], [], []]
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!
    if (key === null) unknown.push(at)
    else if (typeof key === 'number' ? !Number.isNaN(key) : isNumberText(key)) numbers.push(at)
    else texts.push(at)
  }
  const sign = isReverse ? -1 : 1
  const values = keys.map(key => sign * Number(key))
  // Two infinities have no difference.
  numbers.sort((one, other) => values[one]! - values[other]! || 0)
  texts.sort((one, other) => sign * String(keys[one]).localeCompare(String(keys[other]), 'en'))
  const known = isReverse ? texts.concat(numbers) : numbers.concat(texts)
  return known.concat(unknown).map(at => items[at]!)
}

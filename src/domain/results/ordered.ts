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
  const byValue = sortedByNumber(numbers, keys, sign)
  texts.sort((one, other) => sign * String(keys[one]).localeCompare(String(keys[other]), 'en'))
  const known = isReverse ? texts.concat(byValue) : byValue.concat(texts)
  return known.concat(unknown).map(at => items[at]!)
}

/** Takes two thirds of the time of a sort that compares 100,000: numbers alone are sorted fast, and each is found at its place. */
function sortedByNumber(places: readonly number[], keys: readonly unknown[], sign: number): number[] {
  const numbers = new Float64Array(places.length)
  // Adding 0 makes -0 equal to 0.
  for (let at = 0; at < places.length; at++) numbers[at] = sign * Number(keys[places[at]!]) + 0
  const sorted = numbers.toSorted()
  /** How many equal ones were found before, by the first place of them. */
  const before = new Uint32Array(numbers.length)
  const found: number[] = Array(numbers.length)
  for (let at = 0; at < numbers.length; at++) {
    const first = firstPlace(sorted, numbers[at]!)
    found[first + before[first]!++] = places[at]!
  }
  return found
}

/** Where a number is first in sorted numbers. */
function firstPlace(sorted: Float64Array, number: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < number) low = middle + 1
    else high = middle
  }
  return low
}

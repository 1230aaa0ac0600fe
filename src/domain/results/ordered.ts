import { isNumberText } from '../parameters/same-value.js'

/** By their keys: numbers by their value, before texts; what is unknown comes last. */
export function ordered<Item>(
  items: readonly Item[],
  keys: readonly (number | string | null)[],
  isReverse: boolean,
): Item[] {
  const numbers = Float64Array.from(keys, key =>
    typeof key !== 'string' || isNumberText(key) ? Number(key) : Number.NaN,
  )
  const [known, unknown]: [number[], number[]] = [[], []]
  for (let at = 0; at < keys.length; at++) (keys[at] === null ? unknown : known).push(at)
  known.sort((one, other) => {
    const [a, b] = [numbers[one]!, numbers[other]!]
    const order = a - b || orderOfTexts(keys[one]!, keys[other]!, a, b)
    return isReverse ? -order : order
  })
  return [...known, ...unknown].map(at => items[at]!)
}

/** @param a NaN for a text, as `b` */
function orderOfTexts(one: number | string, other: number | string, a: number, b: number): number {
  const order = Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return order === 0 && Number.isNaN(a) ? String(one).localeCompare(String(other), 'en') : order
}

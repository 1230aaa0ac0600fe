import { isNumberText } from '../parameters/same-value.js'

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
  const values = Float64Array.from(keys, Number)
  numbers.sort((one, other) => sign * (values[one]! - values[other]!))
  texts.sort((one, other) => sign * String(keys[one]).localeCompare(String(keys[other]), 'en'))
  const known = isReverse ? [...texts, ...numbers] : [...numbers, ...texts]
  return [...known, ...unknown].map(at => items[at]!)
}

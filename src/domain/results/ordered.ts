/** By their keys: numbers by their value, before texts; what is unknown comes last. */
export function ordered<Item>(
  items: readonly Item[],
  keys: readonly (number | string | null)[],
  isReverse: boolean,
): Item[] {
  const numbers = Float64Array.from(keys, Number)
  const known = [...keys.keys()].filter(at => keys[at] !== null)
  const areNumbers = !known.some(at => Number.isNaN(numbers[at]))
  known.sort((one, other) => {
    const [a, b] = [numbers[one]!, numbers[other]!]
    const isText = !areNumbers && (Number.isNaN(a) || Number.isNaN(b))
    const order = isText ? String(keys[one]).localeCompare(String(keys[other]), 'en') : a - b
    return isReverse ? -order : order
  })
  const unknown = [...keys.keys()].filter(at => keys[at] === null)
  return [...known, ...unknown].map(at => items[at]!)
}

/** By their keys: numbers by their value, before texts; what is unknown comes last. */
export function ordered<Item>(
  items: readonly Item[],
  keys: readonly (number | string | null)[],
  isReverse: boolean,
): Item[] {
  const numbers = Float64Array.from(keys, Number)
  const [known, unknown]: [number[], number[]] = [[], []]
  for (let at = 0; at < keys.length; at++) (keys[at] === null ? unknown : known).push(at)
  const areNumbers = known.every(at => !Number.isNaN(numbers[at]))
  known.sort((one, other) => {
    const [a, b] = [numbers[one]!, numbers[other]!]
    const isText = !areNumbers && (Number.isNaN(a) || Number.isNaN(b))
    const order = isText ? String(keys[one]).localeCompare(String(keys[other]), 'en') : a - b
    return isReverse ? -order : order
  })
  return [...known, ...unknown].map(at => items[at]!)
}

/**
 * How many slips of a hand lie between two texts: letters that were changed, added, left out, or exchanged with their
 * neighbour (the distance of Damerau and Levenshtein, in which no letter slips twice).
 */
export function distance(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const changed = last[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1)
      const isExchange = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const exchanged = row > 1 && column > 1 && isExchange ? beforeLast[column - 2]! + 1 : changed
      current.push(Math.min(changed, exchanged, last[column]! + 1, current[column - 1]! + 1))
    }
    beforeLast = last
    last = current
  }
  return last[other.length]!
}

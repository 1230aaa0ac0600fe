/** A line of a comparison: of both texts (` `), only of the first (`-`) or only of the second (`+`). */
export interface DiffLine {
  readonly mark: ' ' | '-' | '+'
  readonly line: string
}

/** The lines of two texts, with as few differences as possible; removed lines come before added ones. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [one, other] = [linesOf(before), linesOf(after)]
  const common = commonLengths(one, other)
  const diff: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < one.length || j < other.length) {
    if (i < one.length && one[i] === other[j]) {
      diff.push({ mark: ' ', line: one[i]! })
      i++
      j++
    } else if (i < one.length && (j === other.length || common[i + 1]![j]! >= common[i]![j + 1]!)) {
      diff.push({ mark: '-', line: one[i++]! })
    } else {
      diff.push({ mark: '+', line: other[j++]! })
    }
  }
  return diff
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

/** At `[i][j]`, how many lines the first text from line i and the second from line j can have in common, in order. */
function commonLengths(one: readonly string[], other: readonly string[]): Uint32Array[] {
  const common = Array.from({ length: one.length + 1 }, () => new Uint32Array(other.length + 1))
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      common[i]![j] =
        one[i] === other[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
    }
  }
  return common
}

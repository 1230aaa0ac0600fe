/** The format of a group's `progress.txt`, given by its first line. */
export type ProgressForm = { readonly kind: 'tqdm' } | { readonly kind: 'count'; readonly total: number }

/** First line `tqdm`: the rest is the output of tqdm. `count_total=N`: the rest is numbers that add up to N, one a line. */
export function progressForm(head: string): ProgressForm | null {
  const first = linesOf(head)[0]
  if (first === 'tqdm') return { kind: 'tqdm' }
  const total = /^count_total=(\d+(?:\.\d+)?)$/.exec(first ?? '')?.[1]
  return total === undefined ? null : { kind: 'count', total: Number(total) }
}

/** Whether the last line says that the group is done. */
export function saysFinished(tail: string): boolean {
  return linesOf(tail).at(-1) === 'finished'
}

/** The last percentage in a piece of tqdm's output, 0 to 100; null if there is none. */
export function lastPercentage(text: string): number | null {
  const percentage = text.match(/\d+(?:\.\d+)?(?=%)/g)?.at(-1)
  return percentage === undefined ? null : Math.min(100, Number(percentage))
}

/** Sum of the lines that are numbers. */
export function sumOfLines(text: string): number {
  return linesOf(text)
    .map(Number)
    .filter(Number.isFinite)
    .reduce((sum, count) => sum + count, 0)
}

/** The sum as a percentage of the total, 0 to 100; null if the total is not positive. */
export function shareOf(sum: number, total: number): number | null {
  return total > 0 ? Math.min(100, Math.max(0, (100 * sum) / total)) : null
}

function linesOf(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map(line => line.trim())
    .filter(line => line !== '')
}

/**
 * Reads a group's `progress.txt`.
 *
 * @returns 0 to 100, or null where the text says nothing yet. First line `tqdm`: the last percentage of tqdm's
 * output counts. First line `count_total=N`: the numbers of the other lines are summed. Last line `finished`: 100.
 */
export function readProgress(text: string): number | null {
  const lines = text
    .split(/[\r\n]+/)
    .map(line => line.trim())
    .filter(line => line !== '')
  const [first, ...rest] = lines
  if (first === undefined) return null
  if (lines.at(-1) === 'finished') return 100
  const total = /^count_total=(\d+(?:\.\d+)?)$/.exec(first)
  if (total) {
    const done = rest
      .map(Number)
      .filter(Number.isFinite)
      .reduce((sum, count) => sum + count, 0)
    return Number(total[1]) > 0 ? Math.min(100, Math.max(0, (100 * done) / Number(total[1]))) : null
  }
  if (first !== 'tqdm') return null
  const percentage = rest
    .join('\n')
    .match(/\d+(?:\.\d+)?(?=%)/g)
    ?.at(-1)
  return percentage === undefined ? 0 : Math.min(100, Number(percentage))
}

import { lastPercentage, progressForm, saysFinished, shareOf, sumOfLines } from '../../domain/runs/progress.js'
import { appended, chunkSize, endsOf } from './appended.js'

/** How far a `progress.txt` has been read, as JSON. */
export interface ProgressCursor {
  /** Size of the file at the last read, in bytes. */
  readonly size: number
  /** The number of bytes whose numbers `sum` contains. */
  readonly offset: number
  readonly sum: number
  /** 0 to 100; null if the file has no numbers yet. */
  readonly percentage: number | null
}

/** Longer than any line of tqdm, in bytes. */
const tailSize = 16_384
/** Bytes that one refresh adds up: a larger file takes several refreshes. */
const mostAtOnce = 64 * chunkSize

/**
 * Updates the progress of a group from what was added to its `progress.txt`.
 * @param before the result of the last call, null for the first
 * @returns null if there is no such file
 */
export function readProgress(path: string, before: ProgressCursor | null): ProgressCursor | null {
  const ends = endsOf(path, tailSize)
  if (ends === null) return null
  const { head, tail, size } = ends
  if (before && before.size === size) return before
  const form = progressForm(head)
  const start = before && before.offset <= size ? before : { offset: 0, sum: 0, percentage: null }
  if (form?.kind === 'count') return counted(path, form.total, start, size, saysFinished(tail))
  const said = form === null ? null : (lastPercentage(tail) ?? start.percentage ?? 0)
  return { size, offset: 0, sum: 0, percentage: size > 0 && saysFinished(tail) ? 100 : said }
}

function counted(
  path: string,
  total: number,
  start: Pick<ProgressCursor, 'offset' | 'sum'>,
  size: number,
  isFinished: boolean,
): ProgressCursor {
  const place = { offset: start.offset }
  let { sum } = start
  for (const piece of appended(path, place)) {
    sum += sumOfLines(piece)
    if (place.offset - start.offset >= mostAtOnce) break
  }
  const left = Math.max(0, size - place.offset)
  const rest = left < chunkSize ? (endsOf(path, left)?.tail ?? '') : ''
  return {
    size: left < chunkSize ? size : place.offset,
    offset: place.offset,
    sum,
    percentage: isFinished ? 100 : shareOf(sum + sumOfLines(rest), total),
  }
}

import { lineDiff } from '../domain/text/line-diff.js'
import type { Style } from './format/style.js'

/** Unchanged lines that are shown around a changed one. */
const CONTEXT = 3

/** What changes in a text: removed lines after `-`, added ones after `+`, some unchanged ones around them. */
export function differenceText({ colour }: Style, before: string, after: string): string {
  const lines = lineDiff(before, after)
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ mark }) => mark !== ' '),
  )
  const shown = lines.flatMap(({ mark, line }, at) => {
    if (!isNear[at]) return at > 0 && isNear[at - 1] ? ['…'] : []
    return [{ ' ': colour.reset, '-': colour.red, '+': colour.green }[mark](`${mark} ${line}`)]
  })
  return shown.join('\n')
}

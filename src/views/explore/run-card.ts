import type { ListedRun } from '../../domain/results/best.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { displayable } from '../format/displayable.js'
import type { Style } from '../format/style.js'
import { duration, moment } from '../format/times.js'
import { bestColumn } from '../runs/columns.js'
import { bestText, codeText, containerText, runnerText } from '../runs/page.js'
import { durationOf, progressText, runStatusText } from '../runs/state.js'

/** What a list shows of a run, on one line. */
export function runLine(style: Style, run: ListedRun): string {
  const parts = [String(run.id), runStatusText(style, run), progressText(run), moment(run.launched)]
  return displayable(
    [...parts, bestColumn.text(run), run.tags.join(', '), run.description].filter(part => part !== '').join('  '),
  )
}

/** The main facts about a run, each with its label, in a few lines. @param words the arguments of its first group */
export function runCard(
  style: Style,
  run: ListedRun,
  words: readonly string[],
  there: Readonly<Record<'hasComment' | 'hasCopy', boolean>>,
  now: number,
): string[] {
  const { symbol } = style
  const { container } = run.runnerParameters
  const took = durationOf(run, now)
  const best = bestText(run)
  const started = run.started === null ? 'not yet' : moment(run.started, true)
  const ended = run.finished === null ? '' : `   Ended: ${moment(run.finished, true)}`
  const total = totalOf(run.counts)
  const parameters = displayCommand([...words]).replaceAll('\n', '⏎')
  const lines = [
    `${symbol('🆔')}Id: ${run.id}   ${symbol('🔍')}Status: ${runStatusText(style, run)}, ${progressText(run)}   ${symbol('🖥')}Runner: ${runnerText(run)}`,
    ...(best === null ? [] : [`${symbol('🏆')}Best: ${best}`]),
    `${symbol('📁')}Path: ${run.storagePath}`,
    `${symbol('📆')}Launched: ${moment(run.launched, true)}   Started: ${started}${ended}${took === null ? '' : ` (${duration(took)})`}`,
    `${symbol('📑')}Commit: ${run.commit}${codeText(run, there.hasCopy)}`,
    `${symbol('🏷')}Tags: ${run.tags.join(', ') || 'none'}   ${symbol('💬')}Description: ${run.description || 'none'}`,
    ...(container ? [`${symbol('📦')}Container: ${containerText(container)}`] : []),
    ...(there.hasComment ? [`${symbol('📝')}Comment: ${run.storagePath}/comment.md`] : []),
    `${symbol('📓')}Parameters${total > 1 ? ` (first of ${total} groups)` : ''}: ${parameters || 'none'}`,
  ]
  return lines.map(line => displayable(line.replaceAll('\n', ' ')))
}

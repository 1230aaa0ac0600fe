import { argumentsOf, type ParameterGrid } from '../domain/parameters/grid.js'
import { totalOf } from '../domain/runs/aggregate.js'
import type { Run } from '../domain/runs/run.js'
import { displayCommand } from '../domain/text/shell-text.js'
import { displayable } from './format/displayable.js'
import type { Style } from './format/style.js'
import { duration, moment } from './format/times.js'
import { durationOf, progressText, stateText } from './runs/state.js'

/** A run on one line of a list. */
export function runLine(style: Style, run: Run): string {
  const parts = [String(run.id).padStart(4), stateText(style, run.status), progressText(run), moment(run.launched)]
  return displayable([...parts, run.tags.join(', '), run.description].filter(part => part !== '').join('  '))
}

/** The main facts about a run, in a few lines. */
export function runCard(style: Style, run: Run, grid: ParameterGrid, now: number): string {
  const { symbol } = style
  const { submitTemplate, container } = run.runnerParameters
  const took = durationOf(run, now)
  const ended = run.finished === null ? '' : ` → ${moment(run.finished, true)}`
  const times = run.started === null ? `launched ${moment(run.launched, true)}` : `${moment(run.started, true)}${ended}`
  const total = totalOf(run.counts)
  const words = displayCommand(argumentsOf(grid, 0)).replaceAll('\n', '⏎')
  const lines = [
    `${symbol('🆔')}${run.id}   ${symbol('🔍')}${stateText(style, run.status)}, ${progressText(run)}   ${symbol('🖥')}${run.runner}${submitTemplate ? ` (submit_template ${submitTemplate})` : ''}`,
    `${symbol('📁')}${run.storagePath}`,
    `${symbol('📆')}${times}${took === null ? '' : ` (${duration(took)})`}   ${symbol('📑')}${run.commit.slice(0, 12)}`,
    `${symbol('🏷')}${run.tags.join(', ') || 'no tags'}   ${symbol('💬')}${run.description || 'no description'}`,
    ...(container ? [`${symbol('📦')}${container.image}`] : []),
    `${symbol('⚙')}${words || 'no parameters'}${total > 1 ? `   … ${total} groups` : ''}`,
  ]
  return displayable(lines.map(line => `  ${line}`).join('\n'))
}

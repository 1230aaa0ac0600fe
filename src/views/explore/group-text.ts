import { drawnLine } from '../../domain/text/drawn-line.js'
import type { BrowsedGroup } from '../../operations/browse/run-pages.js'
import { aligned } from '../format/aligned.js'
import { displayable } from '../format/displayable.js'
import type { Style } from '../format/style.js'
import { textOf } from '../render/terminal.js'
import { metricText, parameterText } from '../results/pair.js'
import { groupColumns, lastedColumn } from '../runs/groups.js'

/** Who a group is, and how it is. @param now milliseconds since the epoch */
export function groupTitle(style: Style, run: number, group: BrowsedGroup, now: number): string {
  const { status, cause, host } = groupColumns
  const facts = [status, cause, host, lastedColumn(now)].map(column => textOf<BrowsedGroup>(column, group, style))
  return [`Group ${group.index} of run ${run}`, ...facts.filter(text => text !== '')].join(' · ')
}

/** The parameters of a group, one a line, then its command. */
export function parameterLines(group: BrowsedGroup): string[] {
  const names = Object.keys(group.parameters)
  if (names.length === 0) return ['It has no parameters.']
  return table(names.map(name => [name, parameterText(group, name)]))
}

/** The metrics of a group, one a line; of a series its last value. */
export function metricLines(group: BrowsedGroup): string[] {
  const names = Object.keys(group.metrics)
  if (names.length === 0) return [group.status.state === 'finished' ? 'No metric was found.' : 'It has not finished.']
  return table(names.map(name => [name, metricText(group, name)]))
}

function table(rows: readonly (readonly string[])[]): string[] {
  return aligned(rows.map(row => row.map(cell => displayable(cell.replaceAll('\n', '⏎'))))).split('\n')
}

/** Where a tab leads in a terminal. */
const tabWidth = 8

/** The lines of a log as they would look in a terminal. */
export function logLines(text: string): string[] {
  const lines = text.replace(/\n$/, '').split('\n').map(drawnLine)
  const aligned = (line: string) =>
    line.replace(/[^\t]*\t/g, piece => piece.slice(0, -1).padEnd(nextTab(piece.length - 1)))
  return lines.map(line => displayable(aligned(line)))
}

function nextTab(column: number): number {
  return (Math.floor(column / tabWidth) + 1) * tabWidth
}

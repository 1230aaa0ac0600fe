import { isSettled } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import type { Style } from '../format/style.js'
import { age, clockTime, duration } from '../format/times.js'
import type { Column } from '../model.js'
import { csvTable } from '../render/csv.js'
import { terminalTable } from '../render/terminal.js'
import { groupCountColumns, runColumns } from './columns.js'
import { durationOf } from './state.js'

/** Runs of several experiments, one a line, and the age of the oldest answer about a live one. */
export function runsText(style: Style, runs: readonly Run[], now: number): string {
  if (runs.length === 0) return 'No runs found'
  const answers = runs.filter(run => !isSettled(run)).map(run => run.asOf)
  const asOf = Math.min(now, ...answers)
  const note = answers.length > 0 ? `\n\nas of ${clockTime(asOf)} (${age(now - asOf)} ago)` : ''
  return runTable(style, runs, now, [runColumns.experiment]) + note
}

/**
 * Runs, one a line.
 * @param now milliseconds since the epoch, up to which the duration of live runs is counted
 * @param named columns after the id
 */
export function runTable(style: Style, runs: readonly Run[], now: number, named: readonly Column<Run>[] = []): string {
  const columns = [...listColumns(now, named), runColumns.storagePath]
  return terminalTable({ columns, rows: runs }, style, 'long')
}

/** The columns of a list of runs but their paths. */
export function listColumns(now: number, named: readonly Column<Run>[]): Column<Run>[] {
  const { id, status, progress, runner, launched, tags, description } = runColumns
  const lasted = { ...runColumns.duration, text: (run: Run) => duration(durationOf(run, now)) }
  return [id, ...named, status, progress, runner, launched, lasted, tags, description]
}

/** Runs as CSV: the single values of their JSON, under the same names. */
export function runsCsv(runs: readonly Run[]): string {
  const { id, experiment, status, runner, commit, dirty, codeChanged, storagePath, description } = runColumns
  const { launched, started, finished, duration, progress, submitTemplate, slots, container, tags } = runColumns
  const columns = [
    ...[id, experiment, status, runner, commit, dirty, codeChanged, storagePath, description],
    ...[launched, started, finished, duration, progress],
    ...groupCountColumns,
    ...[submitTemplate, slots, container, tags],
  ]
  return csvTable({ columns, rows: runs })
}

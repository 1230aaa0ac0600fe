import type { ListedRun } from '../../domain/results/best.js'
import { isSettled } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import type { Listing } from '../../operations/results/best-metrics.js'
import type { Style } from '../format/style.js'
import { age, clockTime, duration } from '../format/times.js'
import type { Column } from '../model.js'
import { csvTable } from '../render/csv.js'
import { terminalTable } from '../render/terminal.js'
import {
  bestColumn,
  bestNumberColumns,
  groupCountColumns,
  hasBest,
  hasVaried,
  runColumns,
  variedColumn,
} from './columns.js'
import { durationOf } from './state.js'

/** Runs of several experiments, one a line, and the age of the oldest answer about a live one. */
export function runsText(style: Style, listing: Listing, now: number): string {
  const { runs } = listing
  if (runs.length === 0) return 'No runs found'
  const answers = runs.filter(run => !isSettled(run)).map(run => run.asOf)
  const asOf = Math.min(now, ...answers)
  const notes = [
    ...(answers.length > 0 ? [`as of ${clockTime(asOf)} (${age(now - asOf)} ago)`] : []),
    ...lateNoteOf(listing),
  ]
  return [runTable(style, runs, now, [runColumns.experiment]), ...(notes.length > 0 ? ['', ...notes] : [])].join('\n')
}

/** Runs that are going to be deleted, one a line. @param now see {@link listColumns} */
export function toDeleteText(style: Style, runs: readonly Run[], now: number): string {
  return terminalTable(
    { columns: [...listColumns(now, [runColumns.experiment]), runColumns.storagePath], rows: runs },
    style,
    'long',
  )
}

/** Says that not all metrics of listed runs were read, with the name of their experiment if they have the same one. */
export function lateNoteOf({ runs, late }: Listing): string[] {
  const [name, ...others] = new Set(runs.filter(({ best }) => best === null).map(({ experiment }) => experiment))
  return lateNote(late, name === undefined || others.length > 0 ? 'NAME' : name)
}

/** Says that not all metrics of some runs were read; empty if they were. */
export function lateNote(late: number, experiment: string): string[] {
  if (late === 0) return []
  const which = late === 1 ? '1 run' : `${late} runs`
  return [`The metrics of ${which} have not all been read yet: qanat compare ${experiment} reads them`]
}

/**
 * Runs, one a line. The columns of what varied and of the best metrics are left out if there is nothing to show.
 * @param now milliseconds since the epoch, up to which the duration of live runs is counted
 * @param named columns after the id
 */
export function runTable(
  style: Style,
  runs: readonly ListedRun[],
  now: number,
  named: readonly Column<ListedRun>[] = [],
): string {
  const measured = [...(hasVaried(runs) ? [variedColumn] : []), ...(hasBest(runs) ? [bestColumn] : [])]
  const columns = [...listColumns(now, named, measured), runColumns.storagePath]
  return terminalTable({ columns, rows: runs }, style, 'long')
}

/** The columns of a list of runs but their paths. @param measured columns after the progress */
export function listColumns<Row extends Run>(
  now: number,
  named: readonly Column<Row>[],
  measured: readonly Column<Row>[] = [],
): Column<Row>[] {
  const { id, status, progress, runner, launched, tags, description } = runColumns
  const lasted = { ...runColumns.duration, text: (run: Run) => duration(durationOf(run, now)) }
  return [id, ...named, status, progress, ...measured, runner, launched, lasted, tags, description]
}

/** Runs as CSV: the single values of their JSON, under the same names. */
export function runsCsv(runs: readonly ListedRun[]): string {
  const { id, experiment, status, runner, commit, dirty, codeUsed, codeChanged, storagePath, description } = runColumns
  const { launched, started, finished, duration, progress, submitTemplate, slots, container, tags } = runColumns
  const columns = [
    ...[id, experiment, status, runner, commit, dirty, codeUsed, codeChanged, storagePath, description],
    ...[launched, started, finished, duration, progress],
    ...bestNumberColumns(runs),
    ...groupCountColumns,
    ...[submitTemplate, slots, container, tags],
  ]
  return csvTable({ columns, rows: runs })
}

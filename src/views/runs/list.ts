import type { ListedRun } from '../../domain/results/best.js'
import { isOver, isSettled, totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import type { Listing } from '../../operations/results/best-metrics.js'
import type { RunListing } from '../../operations/results/select-runs.js'
import { counted } from '../format/counted.js'
import type { Style } from '../format/style.js'
import { age, clockTime, duration, isoTime } from '../format/times.js'
import type { Column } from '../model.js'
import { csvTable } from '../render/csv.js'
import { terminalTable } from '../render/terminal.js'
import {
  bestColumn,
  bestNumberColumns,
  commitColumn,
  groupCountColumns,
  hasBest,
  hasParameters,
  parametersColumn,
  runColumns,
} from './columns.js'
import { durationOf } from './state.js'

/**
 * Runs of several experiments, one a line, of how many they are some, and the age of the oldest answer about a live one.
 */
export function runsText(style: Style, listing: RunListing, now: number): string {
  const { runs, total, all } = listing
  if (all === 0) return 'No runs found'
  if (runs.length === 0) return noneFits(all, 'run')
  const answers = runs.filter(run => !isSettled(run)).map(run => run.asOf)
  const asOf = Math.min(now, ...answers)
  const notes = [
    ...(runs.length < all ? [countText(runs.length, total, all, 'run')] : []),
    ...(answers.length > 0 ? [`as of ${clockTime(asOf)} (${age(now - asOf)} ago)`] : []),
    ...lateNoteOf(listing),
  ]
  return [runTable(style, runs, now, [runColumns.experiment]), ...(notes.length > 0 ? ['', ...notes] : [])].join('\n')
}

/** That a filter leaves nothing of a list. @param noun what is listed, as in `run` */
export function noneFits(all: number, noun: string): string {
  return `None of ${counted(all, noun)} fits`
}

/** How many of a list are shown, as in `the first 3 of 68 groups`. @param matching how many of all fit the filter */
export function countText(shown: number, matching: number, all: number, noun: string): string {
  const total = counted(all, noun)
  if (shown < matching) return `the first ${shown} of ${matching === all ? total : `${matching} that fit, of ${total}`}`
  return matching === all ? total : `${matching} of ${total}`
}

interface ToDelete {
  readonly runs: readonly Run[]
  /** What depends on them, in sentences. */
  readonly dependents: readonly string[]
}

/** Runs that are going to be deleted: what they are, and what depends on them. @param now see {@link listColumns} */
export function toDeleteText(style: Style, { runs, dependents }: ToDelete, now: number): string {
  const columns = [...listColumns(now, [runColumns.experiment]), runColumns.storagePath]
  const said = runs.length > 1 ? [terminalTable({ columns, rows: runs }, style, 'long')] : runs.map(stateToDelete)
  const live = runs.length > 1 ? runs.filter(({ counts }) => !isOver(counts)).map(stateToDelete) : []
  return [...said, ...live, ...dependents].join('\n')
}

/** The question before runs are deleted. */
export function deleteQuestion(runs: readonly Run[]): string {
  const [first] = runs
  return first && runs.length === 1
    ? `Delete run ${first.id} (${first.storagePath})?`
    : `Delete these ${runs.length} runs?`
}

/** The same with all that there is to say about one run. */
export function deleteQuestionOf(run: Run, dependents: readonly string[]): string {
  return `${[stateToDelete(run), ...dependents].join('; ')}. ${deleteQuestion([run])}`
}

function stateToDelete({ id, status, counts }: Run): string {
  const first = isOver(counts) ? '' : ', and is cancelled first'
  return `Run ${id} is ${status}${first}: ${counts.finished} of ${counted(totalOf(counts), 'group')} finished`
}

/** Says that not all metrics of listed runs were read, with the name of their experiment if they have the same one. */
export function lateNoteOf({ runs, late }: Listing): string[] {
  const [name, ...others] = new Set(runs.filter(({ best }) => best === null).map(({ experiment }) => experiment))
  return lateNote(late, name === undefined || others.length > 0 ? 'NAME' : name)
}

/** Says that not all metrics of some runs were read; empty if they were. */
export function lateNote(late: number, experiment: string): string[] {
  if (late === 0) return []
  return [`The metrics of ${counted(late, 'run')} have not all been read yet: qanat compare ${experiment} reads them`]
}

/**
 * Runs, one a line. The columns of parameters and of the best metrics are left out if there is nothing to show.
 * @param now milliseconds since the epoch, up to which the duration of live runs is counted
 * @param named columns after the id
 */
export function runTable(
  style: Style,
  runs: readonly ListedRun[],
  now: number,
  named: readonly Column<ListedRun>[] = [],
): string {
  const columns = [...listColumns(now, named, measuredColumns(runs)), runColumns.storagePath]
  return terminalTable({ columns, rows: runs }, style, 'long')
}

/** The columns of parameters and of the best metrics, as far as there is something to show. */
export function measuredColumns(
  runs: readonly ListedRun[],
  best: readonly Column<ListedRun>[] = hasBest(runs) ? [bestColumn] : [],
): Column<ListedRun>[] {
  return [...(hasParameters(runs) ? [parametersColumn] : []), ...best]
}

/** The columns of a list of runs but their paths. @param measured columns after the progress */
export function listColumns<Row extends Run>(
  now: number,
  named: readonly Column<Row>[],
  measured: readonly Column<Row>[] = [],
): Column<Row>[] {
  const { id, status, progress, runner, launched, tags, description } = runColumns
  const lasted = { ...runColumns.duration, text: (run: Run) => duration(durationOf(run, now)) }
  return [id, ...named, status, progress, ...measured, commitColumn, runner, launched, lasted, tags, description]
}

/** Runs as CSV: the single values of their JSON, under the same names. */
export function runsCsv(runs: readonly ListedRun[]): string {
  const { id, experiment, status, runner, context, commit, dirty, codeUsed, codeChanged, storagePath, description } =
    runColumns
  const { launched, started, finished, duration, progress, submitTemplate, slots, container, tags } = runColumns
  const columns = [
    ...[id, experiment, status, runner, context, commit, dirty, codeUsed, codeChanged, storagePath, description],
    ...[launched, started, finished, duration, progress],
    ...bestNumberColumns(runs),
    ...groupCountColumns,
    ...[submitTemplate, slots, container, tags],
    { key: 'retired', value: ({ retired }: ListedRun) => retired && isoTime(retired.at) },
  ]
  return csvTable({ columns, rows: runs })
}

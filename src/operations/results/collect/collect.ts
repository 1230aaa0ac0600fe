import { collectedColumns, type TableColumn } from '../../../domain/results/collected.js'
import type { GroupResult } from '../../../domain/results/compare.js'
import { totalOf } from '../../../domain/runs/aggregate.js'
import type { Run } from '../../../domain/runs/run.js'
import { UserError } from '../../../errors.js'
import { mostColumns, writeTableFile } from '../../../store/queries/table-file.js'
import { replaceInSteps, writeDurably } from '../../../system/files.js'
import { findExperiment } from '../../registry/find-experiment.js'
import type { Workspace } from '../../workspace.js'
import { groupsOf, runsWithMetrics } from '../chosen-runs.js'
import { outputFile } from '../output-file.js'

/** A table to be written. */
export interface Table<Row> {
  readonly columns: readonly TableColumn<Row>[]
  /** From the oldest run on, some at a time. */
  readonly rows: () => Iterable<readonly Row[]>
}

/** A table with a row for each group. */
export interface Collected extends Table<GroupResult> {
  /** How many groups there are. */
  readonly count: number
}

/** Collects the groups of runs. @param words ids and ranges of runs; none for all runs of the experiment */
export async function collect(workspace: Workspace, experiment: string, words: readonly string[]): Promise<Collected> {
  const { name } = findExperiment(workspace, experiment)
  return tableOf(workspace, await runsWithMetrics(workspace, name, words))
}

/** Up to as many groups are kept; of more, their metrics are read from the database twice. */
const mostKept = 200_000

/** The table of the groups of runs. */
export function tableOf(workspace: Workspace, runs: readonly Run[]): Collected {
  const count = runs.reduce((sum, { counts }) => sum + totalOf(counts), 0)
  const kept = count > mostKept ? null : [...groupsOf(workspace, runs)]
  const rows = () => kept ?? groupsOf(workspace, runs)
  const commits = new Map(runs.map(({ id, commit }) => [id, commit]))
  return { columns: collectedColumns(rows(), commits), count, rows }
}

/** The contents of a file in pieces, which are all texts or all bytes. */
export type Rendered = <Row>(table: Table<Row>) => Iterable<string | Uint8Array>

/**
 * Writes a table to a file, in place of an earlier one.
 * @param path relative to the folder of the user, or absolute
 * @param render null for an SQLite file with the table `groups`
 * @throws the reason of the signal once it is aborted, and a QanatError if the file cannot be written; nothing is changed then
 */
export async function saveTable<Row>(
  workspace: Workspace,
  path: string,
  table: Table<Row>,
  render: Rendered | null,
  signal: AbortSignal,
): Promise<void> {
  const file = outputFile(workspace, path)
  const { columns, rows } = table
  if (render === null && columns.length > mostColumns) {
    throw new UserError(
      `${path}: SQLite has at most ${mostColumns} columns, and the table has ${columns.length}`,
      `use .csv, .jsonl or .parquet`,
    )
  }
  const steps = (temporary: string) =>
    render === null
      ? writeTableFile(temporary, path, 'groups', columns, rows())
      : writeDurably(temporary, render(table))
  await replaceInSteps(file, steps, signal)
}

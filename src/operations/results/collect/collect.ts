import { collectedColumns, type TableColumn } from '../../../domain/results/collected.js'
import type { GroupResult } from '../../../domain/results/compare.js'
import { allCount, type NotCounted } from '../../../domain/results/comparison/speaking.js'
import { DigitsReader } from '../../../domain/results/metrics-text.js'
import { totalOf } from '../../../domain/runs/aggregate.js'
import type { Run } from '../../../domain/runs/run.js'
import { UserError } from '../../../errors.js'
import { saveInSteps } from '../../../project/output/output-file.js'
import { mostColumns, writeTableFile } from '../../../store/queries/table-file.js'
import { findExperiment } from '../../registry/find-experiment.js'
import type { Workspace } from '../../workspace.js'
import { allOfThem, groupsOf, runsWithMetrics } from '../chosen-runs.js'
import { type CountedRuns, countedRuns } from '../counted-runs.js'
import type { LookedAt } from '../looked-at.js'

/** A table to be written. */
export interface Table<Row> {
  readonly columns: readonly TableColumn<Row>[]
  /** From the oldest run on, some at a time. */
  readonly rows: () => Iterable<readonly Row[]>
}

/** A table with a row for each group. */
export interface Collected extends Table<GroupResult> {
  readonly count: number
}

/**
 * Collects the groups of runs.
 * @param repeats whether all groups count, also those of one cell
 * @param isText whether texts are made of all values: then metrics that are numbers may be texts already
 */
export async function collect(
  workspace: Workspace,
  experiment: string,
  looked: LookedAt,
  repeats: boolean,
  isText: boolean,
): Promise<Collected & Pick<CountedRuns, 'notes'>> {
  const { name } = findExperiment(workspace, experiment)
  const counted = await countedRuns(
    workspace,
    await runsWithMetrics(workspace, name, looked),
    repeats ? null : [],
    looked,
  )
  return { ...tableOf(workspace, counted.runs, counted.left, isText), notes: counted.notes }
}

/** Up to as many groups are kept; of more, their metrics are read from the database twice. */
const mostKept = 200_000

/**
 * The table of the groups of runs.
 * @param left those that it does not have
 * @param isText see {@link collect}
 */
export function tableOf(workspace: Workspace, runs: readonly Run[], left = allCount, isText = false): Collected {
  const count = countOf(runs, left)
  const read = (digits?: DigitsReader) =>
    groupsOf(workspace, runs, left, digits ? { ...allOfThem, read: digits.read } : allOfThem)
  const kept = count > mostKept ? null : keptOf(read, isText)
  const rows = () => kept ?? read()
  const codes = new Map(runs.map(run => [run.id, run]))
  return { columns: collectedColumns(rows(), codes), count, rows }
}

function keptOf<Item>(read: (digits?: DigitsReader) => Iterable<Item>, isText: boolean): Item[] {
  if (!isText) return [...read()]
  const digits = new DigitsReader()
  const found = [...read(digits)]
  return digits.isMixed ? [...read()] : found
}

/** How many groups of runs count. */
export function countOf(runs: readonly Run[], left: NotCounted): number {
  return runs.reduce((sum, { id, counts }) => sum + totalOf(counts) - (left.get(id)?.size ?? 0), 0)
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
  const { columns, rows } = table
  if (render === null && columns.length > mostColumns) {
    throw new UserError(
      `${path}: SQLite has at most ${mostColumns} columns, and the table has ${columns.length}`,
      `use .csv, .jsonl or .parquet`,
    )
  }
  const asTable = (temporary: string) => writeTableFile(temporary, path, 'groups', columns, rows())
  await saveInSteps(workspace.cwd, path, render === null ? asTable : render(table), signal)
}

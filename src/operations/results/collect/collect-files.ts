import { type GroupRow, rowColumns } from '../../../domain/results/collected.js'
import type { CollectedValue } from '../../../domain/results/column-kinds.js'
import { UserError } from '../../../errors.js'
import { ownTables } from '../../../runfolder/metrics/own-tables.js'
import { findExperiment } from '../../registry/find-experiment.js'
import type { Workspace } from '../../workspace.js'
import { chosenRuns } from '../chosen-runs.js'
import { type CountedRuns, countedRuns } from '../counted-runs.js'
import type { LookedAt } from '../looked-at.js'
import type { Table } from './collect.js'
import { endedGroups, GroupProblems } from './group-files.js'

interface OwnRow extends GroupRow {
  /** The path of the table, relative to the group's folder. */
  readonly file: string
}

/** The tables of groups under each other. */
export interface CollectedFiles extends Table<OwnRow>, Pick<CountedRuns, 'notes'> {
  readonly files: number
  readonly count: number
}

/**
 * Collects the tables that groups have left. Problems with files are warnings.
 * @param repeats whether all groups count, also those of one cell
 * @param pattern of the paths of tables in the folder of a group
 * @throws UserError for a pattern that cannot name tables there, or that no file fits
 */
export async function collectFiles(
  workspace: Workspace,
  experiment: string,
  looked: LookedAt,
  repeats: boolean,
  pattern: string,
): Promise<CollectedFiles> {
  const hint = "give the path of tables in the folders of groups, as in 'history.csv' or 'logs/*.jsonl'"
  if (!/\.(csv|tsv|jsonl)$/.test(pattern))
    throw new UserError(`--files ${pattern}: its end is not .csv, .tsv or .jsonl`, hint)
  if (pattern.startsWith('/') || pattern.split('/').includes('..')) {
    throw new UserError(`--files ${pattern}: it leads out of the folders of groups`, hint)
  }
  const { name } = findExperiment(workspace, experiment)
  const counted = await countedRuns(workspace, await chosenRuns(workspace, name, looked), repeats ? null : [], looked)
  const problems = new GroupProblems()
  let [files, count] = [0, 0]
  const columns = rowColumns(noted(rowsOf(workspace, counted, pattern, problems)), [
    { of: 'file', value: ({ file }) => file },
  ])
  problems.warn(workspace)
  if (files === 0) throw new UserError(`--files ${pattern}: no group that has ended has such a file`, hint)
  return { columns, files, count, notes: counted.notes, rows: () => rowsOf(workspace, counted, pattern, null) }

  function* noted(tables: Iterable<readonly OwnRow[]>): Generator<readonly OwnRow[]> {
    for (const rows of tables) {
      files++
      count += rows.length
      yield rows
    }
  }
}

/** The rows of one table at a time, of groups that write no more. @param found null if what is wrong is known already */
function* rowsOf(
  workspace: Workspace,
  counted: CountedRuns,
  pattern: string,
  found: GroupProblems | null,
): Generator<readonly OwnRow[]> {
  for (const { group, folder, runFolder } of endedGroups(workspace, counted)) {
    for (const { file, rows, problems } of ownTables(pattern, folder, runFolder)) {
      for (const { text, line } of problems) found?.add(group, { text: `${file}: ${text}`, line })
      yield rows.map(row => ({ group, file, cells: cellsOf(row) }))
    }
  }
}

/** What is nested is JSON text. */
function cellsOf(row: Readonly<Record<string, unknown>>): OwnRow['cells'] {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as CollectedValue),
    ]),
  )
}

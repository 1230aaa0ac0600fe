import { resolve } from 'node:path'
import { type CollectedColumn, collectedColumns } from '../../domain/results/collected.js'
import type { GroupResult } from '../../domain/results/compare.js'
import { UserError } from '../../errors.js'
import { atomicWrite, isFolder } from '../../system/files.js'
import { findExperiment } from '../registry/find-experiment.js'
import type { Workspace } from '../workspace.js'
import { groupResults, runsWithMetrics } from './chosen-runs.js'

/** The groups of runs with all that is known of their results. */
export interface Collected {
  readonly groups: readonly GroupResult[]
  /** Parameters, then metrics. */
  readonly columns: readonly CollectedColumn[]
  /** The commit of each run. */
  readonly commits: ReadonlyMap<number, string>
}

/** Collects the groups of runs. @param words ids and ranges of runs; none for all runs of the experiment */
export async function collect(workspace: Workspace, experiment: string, words: readonly string[]): Promise<Collected> {
  const { name } = findExperiment(workspace, experiment)
  const runs = await runsWithMetrics(workspace, name, words)
  const groups = groupResults(workspace, runs)
  // Each row has the commit anyway.
  const columns = collectedColumns(groups).filter(column => column.name !== 'commit')
  return { groups, columns, commits: new Map(runs.map(({ id, commit }) => [id, commit])) }
}

/** Writes a table to a file, in place of an earlier one. @param path relative to the folder of the user, or absolute */
export function saveTable(workspace: Workspace, path: string, lines: Iterable<string>): void {
  atomicWrite(outputFile(workspace, path), lines)
}

/** The absolute path of a file to write. @throws UserError if it is a folder */
export function outputFile({ cwd }: Workspace, path: string): string {
  const file = resolve(cwd, path)
  if (isFolder(file)) throw new UserError(`${path} is a folder`, 'give the path of a file')
  return file
}

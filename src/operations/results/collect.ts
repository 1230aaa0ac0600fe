import { resolve } from 'node:path'
import { type CollectedColumn, collectedColumns } from '../../domain/results/collected.js'
import type { GroupResult } from '../../domain/results/compare.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import { atomicWrite, isFolder } from '../../system/files.js'
import { findExperiment } from '../registry/find-experiment.js'
import type { Workspace } from '../workspace.js'
import { groupsOf, runsWithMetrics } from './chosen-runs.js'

/** A table of groups. */
export interface Collected {
  readonly columns: readonly CollectedColumn[]
  /** How many groups there are. */
  readonly count: number
  /** The groups from the oldest on, some at a time. */
  readonly groups: () => Iterable<readonly GroupResult[]>
}

/** Collects the groups of runs. @param words ids and ranges of runs; none for all runs of the experiment */
export async function collect(workspace: Workspace, experiment: string, words: readonly string[]): Promise<Collected> {
  const { name } = findExperiment(workspace, experiment)
  return tableOf(workspace, await runsWithMetrics(workspace, name, words))
}

/** The table of the groups of runs. */
export function tableOf(workspace: Workspace, runs: readonly Run[]): Collected {
  const groups = () => groupsOf(workspace, runs)
  const commits = new Map(runs.map(({ id, commit }) => [id, commit]))
  const count = runs.reduce((sum, { counts }) => sum + totalOf(counts), 0)
  return { columns: collectedColumns(groups(), commits), count, groups }
}

/** Writes a table to a file, in place of an earlier one. @param path relative to the folder of the user, or absolute */
export function saveTable({ cwd }: Workspace, path: string, lines: Iterable<string>): void {
  const file = resolve(cwd, path)
  if (isFolder(file)) throw new UserError(`${path} is a folder`, 'give the path of a file')
  atomicWrite(file, lines)
}

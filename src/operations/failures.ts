import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { totalOf } from '../domain/aggregate.js'
import { argumentsOf } from '../domain/grid.js'
import type { GroupReport, Run } from '../domain/run.js'
import { groupFolder } from '../domain/run-plan.js'
import { absolutePath, type Workspace } from './workspace.js'

/** A group that did not finish, with what a person wants to know of it first. */
export interface Failure {
  readonly report: GroupReport
  readonly arguments: readonly string[]
  /** The last line of its stderr, null where it wrote none. */
  readonly lastError: string | null
}

/** The first groups that did not finish, the failed ones before the lost ones. */
export function firstFailures(workspace: Workspace, run: Run, limit: number): Failure[] {
  const { runs } = workspace.store
  const reports = [...runs.groupsIn(run.id, 'failed', limit), ...runs.groupsIn(run.id, 'lost', limit)].slice(0, limit)
  if (reports.length === 0) return []
  const { grid } = runs.launch(run.id)
  const storagePath = absolutePath(workspace, run.storagePath)
  return reports.map(report => ({
    report,
    arguments: argumentsOf(grid, report.index),
    lastError: lastLine(join(groupFolder(storagePath, totalOf(run.counts), report.index), 'stderr.txt')),
  }))
}

/** Of a file that could be very large only its end matters, and a normal one is read whole. */
function lastLine(file: string): string | null {
  const largest = 16 * 1024 * 1024
  if (!existsSync(file) || statSync(file).size > largest) return null
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.map(line => line.trim()).findLast(line => line !== '') ?? null
}

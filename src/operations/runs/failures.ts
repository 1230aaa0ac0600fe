import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { argumentsOf } from '../../domain/parameters/grid.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { GroupReport, Run } from '../../domain/runs/run.js'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { absolutePath, type Workspace } from '../workspace.js'

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

function lastLine(file: string): string | null {
  return lastLines(file, 1)[0] ?? null
}

/** The last lines of a file that are not empty; of one that is very large only the end is read. */
export function lastLines(file: string, count: number): string[] {
  if (!existsSync(file)) return []
  const lines = endOf(file)
    .split('\n')
    .map(line => line.trim())
  return lines.filter(line => line !== '').slice(-count)
}

const longestEnd = 65_536

function endOf(path: string): string {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const end = Buffer.alloc(Math.min(size, longestEnd))
    readSync(file, end, 0, end.length, size - end.length)
    return end.toString('utf8')
  } finally {
    closeSync(file)
  }
}

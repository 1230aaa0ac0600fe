import { type GroupRow, rowColumns } from '../../../domain/results/collected.js'
import type { MetricSource } from '../../../domain/results/metrics.js'
import { seriesSteps } from '../../../domain/results/series-rows.js'
import { UserError } from '../../../errors.js'
import { seriesReader } from '../../../runfolder/metrics/group-metrics.js'
import { readNow } from '../../../runfolder/metrics/read-text.js'
import { findExperiment } from '../../registry/find-experiment.js'
import type { Workspace } from '../../workspace.js'
import { runsWithMetrics } from '../chosen-runs.js'
import { type CountedRuns, countedRuns } from '../counted-runs.js'
import type { LookedAt } from '../looked-at.js'
import { countOf, type Table } from './collect.js'
import { endedGroups, GroupProblems } from './group-files.js'

interface StepRow extends GroupRow {
  readonly step: number | null
  /** The name of the column in the group's file that counts the rows; null if there is none. */
  readonly counter: string | null
}

/** The series of groups, one row a step. */
export interface CollectedSeries extends Table<StepRow>, Pick<CountedRuns, 'notes'> {
  /** How many groups have a series. */
  readonly groups: number
  /** How many have none, or have not ended. */
  readonly others: number
  readonly count: number
}

/** Rows that are in memory at a time as they are written; those of one group are there as they are read. */
const atOnce = 5_000

/**
 * Collects the series of groups that write no more, from their files. What cannot be read, and what was read once but is not
 * there any more, is a warning.
 * @param repeats whether all groups count, also those of one cell
 * @throws UserError if no group has a series
 */
export async function collectSeries(
  workspace: Workspace,
  experiment: string,
  looked: LookedAt,
  repeats: boolean,
): Promise<CollectedSeries> {
  const { name, results } = findExperiment(workspace, experiment)
  const counted = await countedRuns(
    workspace,
    await runsWithMetrics(workspace, name, looked),
    repeats ? null : [],
    looked,
  )
  const problems = new GroupProblems()
  let [groups, count] = [0, 0]
  let last: StepRow['group'] | null = null
  const columns = rowColumns(noted(stepsOf(workspace, counted, results.metrics, problems)), [
    { of: 'step', value: ({ step }) => step },
    { of: 'counter', value: ({ counter }) => counter },
  ])
  problems.warn(workspace)
  if (groups === 0) {
    throw new UserError(`no group of ${name} that has ended has a series`, `qanat run_show ${counted.runs.at(-1)!.id}`)
  }
  const others = countOf(counted.runs, counted.left) - groups
  return {
    columns,
    groups,
    others,
    count,
    notes: counted.notes,
    rows: () => stepsOf(workspace, counted, results.metrics, null),
  }

  function* noted(rows: Iterable<readonly StepRow[]>): Generator<readonly StepRow[]> {
    for (const some of rows) {
      if (some[0]!.group !== last) groups++
      last = some[0]!.group
      count += some.length
      yield some
    }
  }
}

/** The rows of one group at a time, in parts. @param found null if what is wrong is known already */
function* stepsOf(
  workspace: Workspace,
  counted: CountedRuns,
  sources: readonly MetricSource[],
  found: GroupProblems | null,
): Generator<readonly StepRow[]> {
  const readers = new Map<string, ReturnType<typeof seriesReader>>()
  for (const { group, folder, runFolder } of endedGroups(workspace, counted)) {
    const read = readers.get(runFolder) ?? seriesReader(sources, runFolder)
    readers.set(runFolder, read)
    const series = readNow(
      () => read(folder),
      reason => found?.add(group, { text: `the folder cannot be read now: ${reason}`, line: null }),
    )
    if (series === null) continue
    const { points, problems } = series
    for (const problem of problems) found?.add(group, problem)
    for (const name in group.metrics) {
      if (typeof group.metrics[name] === 'object' && !points.has(name)) {
        found?.add(group, { text: `the series of '${name}' is not in the files any more`, line: null })
      }
    }
    const steps = seriesSteps(points)
    for (let first = 0; first < steps.length; first += atOnce) {
      yield steps.slice(first, first + atOnce).map(step => ({ group, ...step }))
    }
  }
}

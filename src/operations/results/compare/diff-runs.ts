import { compareGrids, type GridDifference } from '../../../domain/parameters/compare-grids.js'
import { numberOf } from '../../../domain/results/metrics.js'
import { type Summary, summarize } from '../../../domain/results/statistics.js'
import type { Run } from '../../../domain/runs/run.js'
import { UserError } from '../../../errors.js'
import { type CodeDifference, codeBetween } from '../../code/changed-files.js'
import { type DataOfTwo, dataOfTwo } from '../../data/compare-data.js'
import {
  type ComparedEnvironments,
  compareEnvironments,
  storedEnvironments,
} from '../../environments/run-environments.js'
import { findExperiment } from '../../registry/find-experiment.js'
import { programOfRun } from '../../registry/launched-experiment.js'
import { findRuns } from '../../runs/find-run.js'
import type { Workspace } from '../../workspace.js'
import { groupsOf, runsWithMetrics } from '../chosen-runs.js'
import { everything } from '../looked-at.js'
import { areGroups } from './compare-pair.js'

/** The same fact about both runs. */
type Both<Fact> = readonly [Fact, Fact]

/** What differs between two runs. */
export interface RunDifference {
  readonly runs: Both<Run>
  /** What they ran: a command and an executable. */
  readonly programs: Both<string>
  readonly grids: GridDifference
  /** Null if the code of one of them is not in this repository. */
  readonly code: CodeDifference | null
  /** All datasets that one of them has read. */
  readonly data: readonly DataOfTwo[]
  /** Null if no environment of one of them is recorded. */
  readonly environment: ComparedEnvironments | null
  /** Numbers that their finished groups have left: those that count first. */
  readonly metrics: readonly { readonly name: string; readonly of: Both<Summary | null> }[]
  /** Seconds that their finished groups took; null if none has finished. */
  readonly groupSeconds: Both<Summary | null>
}

/** Finds the two runs that words name, and what differs between them. @throws UserError if there are not two */
export async function diffRuns(workspace: Workspace, words: readonly string[]): Promise<RunDifference> {
  if (areGroups(words)) {
    throw new UserError(
      `${words.join(' ')}: these are groups`,
      `qanat compare ${words.join(' ')}        shows them side by side`,
    )
  }
  const named = findRuns(workspace, words)
  if (named.length !== 2) {
    throw new UserError(
      `diff compares two runs, and ${named.length === 1 ? `${words.join(' ')} is one` : `these are ${named.length}`}`,
      `for example: qanat diff ${named[0]?.id ?? 4} latest`,
    )
  }
  const [one, other] = await Promise.all(named.map(run => withMetrics(workspace, run)))
  const runs = [one!, other!] as const
  const results = [resultsOf(workspace, one!), resultsOf(workspace, other!)] as const
  const metrics = [...new Set([...declared(workspace, one!), ...results.flatMap(each => [...each.metrics.keys()])])]
  return {
    runs,
    programs: [programOfRun(workspace, one!), programOfRun(workspace, other!)],
    grids: compareGrids(workspace.store.runs.grid(one!.id), workspace.store.runs.grid(other!.id)),
    code: await codeBetween(workspace, ...runs),
    data: dataOfTwo(workspace, ...runs),
    environment: runs.every(run => storedEnvironments(workspace, run).length > 0)
      ? await compareEnvironments(workspace, ...runs)
      : null,
    metrics: metrics
      .map(name => ({
        name,
        of: [summaryOf(results[0].metrics.get(name)), summaryOf(results[1].metrics.get(name))] as const,
      }))
      .filter(({ of }) => of.some(summary => summary !== null)),
    groupSeconds: [summaryOf(results[0].seconds), summaryOf(results[1].seconds)],
  }
}

async function withMetrics(workspace: Workspace, { experiment, id }: Run): Promise<Run> {
  const [run] = await runsWithMetrics(workspace, experiment, { ...everything, words: [String(id)] })
  return run!
}

function declared(workspace: Workspace, { experiment }: Run): string[] {
  return Object.keys(findExperiment(workspace, experiment).results.best)
}

/** What the finished groups of a run have left. */
function resultsOf(workspace: Workspace, run: Run) {
  const metrics = new Map<string, number[]>()
  const seconds: number[] = []
  for (const some of groupsOf(workspace, [run])) {
    for (const group of some.filter(({ state }) => state === 'finished')) {
      if (group.seconds !== null) seconds.push(group.seconds)
      for (const [name, metric] of Object.entries(group.metrics)) {
        const value = numberOf(metric)
        if (value !== null && !metrics.get(name)?.push(value)) metrics.set(name, [value])
      }
    }
  }
  return { metrics, seconds }
}

function summaryOf(values: readonly number[] = []): Summary | null {
  return values.length === 0 ? null : summarize(values)
}

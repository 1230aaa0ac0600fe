import { isCopyThere } from '../../code/frozen/frozen-copies.js'
import type { Fingerprint } from '../../domain/data/fingerprint.js'
import { type Asked, askedOf, type JobEnvironment } from '../../domain/job-environment.js'
import { parametersOf } from '../../domain/parameters/arguments.js'
import { argumentsOf } from '../../domain/parameters/grid.js'
import type { KeptVerification } from '../../domain/results/reproduced.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Attempt, Launch } from '../../domain/runs/launch.js'
import type { GroupDetails, Run } from '../../domain/runs/run.js'
import { callOf, commandOf, groupFolder } from '../../domain/runs/run-plan.js'
import { parseRecordedTemplate } from '../../project/templates/templates.js'
import { type Presence, presenceOf } from '../../runfolder/files/presence.js'
import type { GroupSummary } from '../../store/pages.js'
import { asFarAsStored } from '../as-far-as-stored.js'
import { type FoundEnvironment, storedEnvironments } from '../environments/run-environments.js'
import { purgeWarnings } from '../folder/purge.js'
import { verificationsOf } from '../folder/verifications.js'
import { type KeptOutputs, keptOutputs } from '../outputs/outputs.js'
import { leftBehindOf } from '../refresh/left-behind.js'
import { leftRunning, processesLeft } from '../refresh/processes-left.js'
import { mayChange, refreshRuns } from '../refresh/refresh-runs.js'
import { describeSubmissions } from '../refresh/submissions.js'
import { absolutePath, placeOf, readFolder, runnerOf, storedPath, type Workspace } from '../workspace.js'
import { readComment } from './comment-run.js'
import { runWarnings } from './failures.js'

/** Details of a run beyond its row. */
export interface RunDetails {
  /** The first groups, those that did not finish before the others if there are more. */
  readonly groups: readonly GroupDetails[]
  readonly summary: GroupSummary
  /** The name of the last submission for the user, such as a job id; empty without a scheduler. */
  readonly submission: string
  /** The first launch and the retries, in order. */
  readonly attempts: readonly Attempt[]
  /** Whether its folder is still there. */
  readonly folder: Presence
  /** Whether the frozen copy of its code is still there, if it had one. */
  readonly hasCopy: boolean
  /** Where files lie that scripts have left in frozen copies of the code; relative to the project if they lie inside. */
  readonly leftBehind: readonly string[]
  /** What its groups have started and what has outlived them, in words; empty for nothing. */
  readonly processes: string
  /** What it read. */
  readonly data: readonly Fingerprint[]
  /** What is kept of what it has left; null for nothing. */
  readonly outputs: KeptOutputs | null
  /** Problems that did not make a group fail. */
  readonly warnings: readonly string[]
  readonly environments: readonly FoundEnvironment[]
  /** How it compared with runs that repeated it, or that it repeats. */
  readonly verifications: readonly KeptVerification[]
  /** How often each action was called on it, the last one first. */
  readonly actions: readonly { readonly action: string; readonly times: number }[]
  /** Markdown written by the user; null if there is none. */
  readonly comment: string | null
}

/** A run as it is now. */
export async function currentRun(workspace: Workspace, run: Run): Promise<Run> {
  if (!mayChange(workspace, run)) return run
  await asFarAsStored(workspace, () => refreshRuns(workspace, [run]))
  return workspace.store.runs.get(run.id)
}

/** Everything that the page of a run shows. @param most how many groups are wanted */
export function runDetails(workspace: Workspace, run: Run, most: number): RunDetails {
  const indices = totalOf(run.counts) > most ? firstOf(workspace, run, most) : undefined
  return {
    groups: groupDetails(workspace, run, indices),
    summary: workspace.store.pages.summary(run.id),
    ...runSurroundings(workspace, run),
  }
}

/** In which order groups are shown if they are too many. */
const inTheirOrder = ['failed', 'lost', 'cancelled', 'held', 'running', 'pending', 'finished'] as const

/** The indices of some groups: those that did not finish come first. */
function firstOf({ store: { pages } }: Workspace, { id, counts }: Run, most: number): number[] {
  const found: number[] = []
  for (const state of inTheirOrder) {
    const left = most - found.length
    if (left === 0) break
    found.push(
      ...(state === 'pending' ? pages.pending(id, totalOf(counts)).slice(0, left) : pages.groupsIn(id, state, 0, left)),
    )
  }
  return found
}

/** Whether a run has a frozen copy of its code that is still there. */
export function hasCopy(workspace: Workspace, { frozen }: Run): boolean {
  return frozen !== null && isCopyThere(absolutePath(workspace, frozen))
}

/** The same without its groups, which may be many. */
export function runSurroundings(workspace: Workspace, run: Run): Omit<RunDetails, 'groups' | 'summary'> {
  const { attempts } = workspace.store.runs.submission(run.id)
  return {
    submission: describeSubmissions(workspace, run, attempts.at(-1)!),
    attempts,
    folder: presenceOf(readFolder(workspace, run)),
    hasCopy: hasCopy(workspace, run),
    leftBehind: leftBehindOf(workspace, run),
    processes: leftRunning(run, processesLeft(workspace, run)),
    data: workspace.store.data.of(run.id),
    outputs: keptOutputs(workspace, run),
    warnings: [...runWarnings(workspace, run), ...purgeWarnings(workspace, [run], Date.now())],
    environments: storedEnvironments(workspace, run),
    verifications: verificationsOf(workspace, run),
    actions: workspace.store.actions.calls(run.id),
    comment: readComment(workspace, run),
  }
}

/**
 * Groups of a run.
 * @param indices of those that are wanted; all by default
 * @param launch of the run, if it has been read already: it may be large
 */
export function groupDetails(
  workspace: Workspace,
  run: Run,
  indices?: readonly number[],
  { grid, experiment, datasetPaths, attempts }: Launch = workspace.store.runs.launch(run.id),
): GroupDetails[] {
  const { runs, refreshes } = workspace.store
  const some = (wanted: readonly number[]) => wanted.flatMap(index => refreshes.group(run.id, index) ?? [])
  const reports = indices ? workspace.store.reading(() => some(indices)) : runs.groups(run.id)
  const known = new Map(reports.map(report => [report.index, report]))
  const groupCount = totalOf(run.counts)
  const storagePath = absolutePath(workspace, run.storagePath)
  const launched = {
    place: placeOf(workspace, run),
    groupCount,
    ...callOf(experiment),
    datasetPaths: datasetPaths.map(path => absolutePath(workspace, path)),
    argumentsOf: (index: number) => argumentsOf(grid, index),
  }
  const templates = new Map(attempts.map(each => [each.attempt, templateOf(workspace, run, each)]))
  return (indices ?? Array.from({ length: groupCount }, (_, index) => index)).map(index => {
    const attempt = known.get(index)?.attempt ?? 1
    const { environment, asked } = templates.get(attempt) ?? { environment: { arguments: [] }, asked: askedOf({}) }
    return {
      index,
      status: known.get(index)?.status ?? { state: 'pending' },
      attempt,
      storagePath: storedPath(workspace, groupFolder(storagePath, groupCount, index)),
      parameters: parametersOf(launched.argumentsOf(index)),
      asked,
      command: commandOf({ ...launched, environment }, index),
    }
  })
}

/** The words that the template of an attempt appends to the arguments of each group. */
export function addedArguments(attempt: Attempt): readonly string[] {
  return parseRecordedTemplate(attempt).environment.arguments
}

/** The template of an attempt, and what it asks for each group. */
export function templateOf(
  workspace: Workspace,
  run: Run,
  attempt: Attempt,
): { environment: JobEnvironment; asked: Asked } {
  const { environment, rest } = parseRecordedTemplate(attempt)
  return {
    environment,
    asked: askedOf({ ...runnerOf(workspace, run).kind.template.asks(rest), ...environment.resources }),
  }
}

import { resolveCommit } from '../../code/run-code.js'
import type { TreeState } from '../../code/tree-state.js'
import {
  type Dependency,
  type DependencyStatus,
  type Document,
  dependencyText,
} from '../../domain/documents/document.js'
import { oneRun, type Provider } from '../../domain/documents/provider.js'
import { type ParameterGrid, partOfGrid } from '../../domain/parameters/grid.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { OperationError } from '../../errors.js'
import { withProjectLock } from '../../store/locks/project-lock.js'
import { untilUntaken } from '../cells/standing-of-grid.js'
import { launchResolved } from '../launch/launch-run.js'
import { type ResolvedRun, resolveRequest } from '../launch/resolve.js'
import { makersBehind } from '../registry/stages.js'
import { absolutePath, isInForeground, type Workspace } from '../workspace.js'
import { dependencyCells, documentStatus, gridOf } from './document-status.js'

/** How the runs of a compilation are followed. */
export interface RunSteps {
  /** Waits for a run that was just launched, or that another command had launched. */
  readonly follow: (run: Run, isNew: boolean) => Promise<Run>
  /** Whether all is launched anew, even if results are there. */
  readonly force: boolean
  readonly interruption: AbortSignal
}

/** Provides a finished run for every dependency: first for those whose experiments make what others read. */
export async function provideStages(
  workspace: Workspace,
  document: Document,
  tree: TreeState,
  found: readonly DependencyStatus[],
  steps: RunSteps,
): Promise<Map<Dependency, Provider>> {
  const provided: [Dependency, Provider][] = []
  let statuses = found
  while (statuses.length > 0) {
    const makers = new Set(statuses.map(({ dependency }) => dependency.experiment))
    const isReady = ({ dependency }: DependencyStatus) =>
      [...makersBehind(workspace, dependency.experiment)].every(maker => !makers.has(maker))
    // Stages in a circle are refused when they are registered, but files may be edited.
    const ready = statuses.some(isReady) ? statuses.filter(isReady) : statuses
    provided.push(...(await provideRuns(workspace, document, tree, ready, steps)))
    const rest = statuses.filter(status => !ready.includes(status))
    // What they read may be other files by now.
    const dependencies = rest.map(({ dependency }) => dependency)
    statuses = rest.length === 0 ? rest : (await documentStatus(workspace, { ...document, dependencies })).statuses
  }
  const providers = new Map(provided)
  return new Map(document.dependencies.map(dependency => [dependency, providers.get(dependency)!]))
}

/** A run that a dependency waits for. */
interface Awaited {
  readonly run: Run
  readonly isNew: boolean
  /** Whether some cells are of other runs. */
  readonly isPart: boolean
}

/**
 * Provides finished groups for every dependency. All runs that need no foreground are launched before it waits for the first; of
 * cells that some runs have, only the others are launched.
 */
async function provideRuns(
  workspace: Workspace,
  document: Document,
  tree: TreeState,
  statuses: readonly DependencyStatus[],
  steps: RunSteps,
): Promise<Map<Dependency, Provider>> {
  const isWaitedFor = ({ dependency }: DependencyStatus) =>
    isInForeground(workspace.findRunner(workspace.site, dependency.runner))
  const inOrder = [...statuses.filter(status => !isWaitedFor(status)), ...statuses.filter(isWaitedFor)]
  const awaited = new Map<Dependency, readonly Awaited[]>()
  const start = async ({ dependency, provider }: DependencyStatus) => {
    const found =
      provider && !steps.force ? liveOf(provider) : await launchMissing(workspace, document, dependency, tree, steps)
    awaited.set(dependency, found)
  }
  for (const status of inOrder) if (!isWaitedFor(status)) await start(status)
  const providers = new Map<Dependency, Provider>()
  for (const status of inOrder) {
    const { dependency } = status
    if (isWaitedFor(status)) await start(status)
    const runs = awaited.get(dependency)!
    const ended = await endOf(document, dependency, runs, steps)
    const isPart = runs.some(run => run.isPart) || ended?.status !== 'finished'
    const provider = ended && !isPart ? oneRun(ended) : status.provider
    providers.set(dependency, provider ?? (await providerNow(workspace, document, dependency)))
  }
  return providers
}

function liveOf({ runs }: Provider): Awaited[] {
  return runs.filter(({ counts }) => !isOver(counts)).map(run => ({ run, isNew: false, isPart: false }))
}

/**
 * Waits for runs. @returns the last of them; null if there is none
 * @throws OperationError if one has not finished all that is needed of it
 */
async function endOf(
  document: Document,
  dependency: Dependency,
  runs: readonly Awaited[],
  { follow }: RunSteps,
): Promise<Run | null> {
  let last: Run | null = null
  for (const { run, isNew, isPart } of runs) {
    last = await follow(run, isNew)
    // Cells may fail without which the document does, and of a run that others have launched some that it does not need.
    if (last.status === 'finished' || (isPart && !isNew) || dependency.missing) continue
    throw new OperationError(
      `run ${last.id} of ${dependencyText(dependency)} did not finish (${last.status}), and ${document.name} needs it`,
      `qanat why ${last.id}        qanat run_retry ${last.id}`,
    )
  }
  return last
}

/** @throws OperationError if nothing provides a dependency even now */
async function providerNow(workspace: Workspace, document: Document, dependency: Dependency): Promise<Provider> {
  const { provider, why } = await statusNow(workspace, document, dependency)
  if (provider) return provider
  throw new OperationError(
    `${document.name} needs ${dependencyText(dependency)}, which nothing provides: ${why}`,
    `qanat document status ${document.name}        shows what is missing`,
  )
}

async function statusNow(workspace: Workspace, document: Document, dependency: Dependency): Promise<DependencyStatus> {
  const { statuses } = await documentStatus(workspace, { ...document, dependencies: [dependency] })
  return statuses[0]!
}

/** Launches the cells of a dependency that are missing. @returns the runs to wait for */
function launchMissing(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  tree: TreeState,
  { force, interruption }: RunSteps,
): Promise<readonly Awaited[]> {
  const launch = async () => {
    // Another compilation may have launched it in the meantime.
    const { provider } = await statusNow(workspace, document, dependency)
    if (provider && !force) return liveOf(provider)
    const cells = force ? null : await dependencyCells(workspace, dependency, tree)
    const { missing, live } = { missing: cells?.missing ?? [], live: cells?.live ?? [] }
    const isPart = live.length > 0 || (cells?.finished ?? 0) > 0
    const others = live.map(id => ({ run: workspace.store.runs.get(id), isNew: false, isPart }))
    if (isPart && missing.length === 0) return others
    const grid = gridOf(workspace, dependency)
    const run = await launchDependency(workspace, document, dependency, tree, {
      grid: isPart ? partOfGrid(grid, missing) : grid,
      ...(cells && { refuseTaken: cells.standing.refuseTaken }),
      interruption,
    })
    return [...others, { run, isNew: true, isPart }]
  }
  return withDocumentLock(workspace, document, () => untilUntaken(launch))
}

interface DependencyLaunch extends Pick<ResolvedRun, 'refuseTaken'> {
  readonly grid: ParameterGrid
  readonly interruption: AbortSignal
}

async function launchDependency(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  tree: TreeState,
  { grid, refuseTaken, interruption }: DependencyLaunch,
): Promise<Run> {
  const { experiment, runArgsFile, runner, container, commitSha } = dependency
  const atRoot = { ...workspace, cwd: workspace.project.root }
  const request = {
    experiment,
    experimentArguments: [],
    options: {
      ...dependency.runnerParameters,
      runner,
      ...(container !== null && { container }),
      ...(runArgsFile !== null && { param_file: absolutePath(workspace, runArgsFile) }),
      tag: [document.name, 'compile'],
      description: `for the document ${document.name}`,
      snapshot: 'always',
    } as const,
  }
  const resolved = { ...(await resolveRequest(atRoot, request, grid)), ...(refuseTaken && { refuseTaken }) }
  const commit = commitSha === null ? tree.head : await resolveCommit(tree, commitSha)
  return launchResolved(atRoot, resolved, async () => ({ state: tree, commit, patch: null }), interruption)
}

/** Two compilations at the same time would launch a run twice, and take half-made exports of each other for the user's files. */
export function withDocumentLock<Result>(
  { project }: Workspace,
  { name }: Document,
  work: () => Promise<Result>,
): Promise<Result> {
  return withProjectLock(project, `compile-${name}`, work)
}

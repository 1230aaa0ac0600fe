import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Container } from '../../domain/container.js'
import type { Experiment } from '../../domain/experiment.js'
import type { JobEnvironment } from '../../domain/job-environment.js'
import { buildGrid } from '../../domain/parameters/build-grid.js'
import { argumentsOf, gridSize, type ParameterGrid } from '../../domain/parameters/grid.js'
import { jobNameOf, programOf, type RunPlan } from '../../domain/runs/run-plan.js'
import { UserError } from '../../errors.js'
import { readParameterFile } from '../../project/parameter-file.js'
import { resolveTemplate } from '../../project/templates.js'
import type { Runner } from '../../runners/types.js'
import { findDataset, findExperiment } from '../registry/find-experiment.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { pathsToBind, resolveContainer } from './container.js'
import { jobOptions } from './job-options.js'
import { readStoragePath } from './storage-path.js'

/** What `qanat run` was asked for. */
export interface LaunchRequest {
  /** The words that were typed behind `qanat run`, for those that are to be typed next. */
  readonly typed: readonly string[]
  readonly experiment: string
  readonly experimentArguments: readonly string[]
  readonly groups: readonly string[]
  readonly ranges: readonly string[]
  readonly values: readonly string[]
  readonly parameterFile: string | null
  readonly runner: string
  readonly submitTemplate: string | null
  readonly slots: string | null
  readonly storagePath: string | null
  readonly tags: readonly string[]
  readonly description: string
  readonly snapshot: 'auto' | 'always' | 'never' | null
  /** A commit, tag or branch to run instead of what is checked out. */
  readonly commitSha: string | null
  readonly container: string | null
  readonly gpu: boolean
  readonly commitMessage: string | null
  readonly allowDirty: boolean
  readonly detach: boolean
}

/** A request that is understood and valid, before anything was touched. */
export interface ResolvedRequest {
  readonly request: LaunchRequest
  readonly experiment: Experiment
  readonly grid: ParameterGrid
  readonly groupCount: number
  readonly runner: Runner
  readonly templateName: string | null
  readonly template: Readonly<Record<string, unknown>>
  readonly environment: JobEnvironment
  readonly options: unknown
  readonly container: Container | null
  /** At most so many groups at a time; null where the scheduler decides. */
  readonly slots: number | null
  /** Where the run is to be, absolute; null for a new folder among the results. */
  readonly storagePath: string | null
  readonly token: string
  /** Absolute, in the order of the experiment's datasets, as the project has them. */
  readonly datasetPaths: readonly string[]
  /** Whether the groups run in a frozen copy. */
  readonly frozen: boolean
  /** Files that were named, and folders of exports: changes of them do not make the tree dirty. Absolute. */
  readonly uncountedFiles: readonly string[]
}

/** Reads and checks everything that can be checked without touching anything. */
export async function resolveRequest(workspace: Workspace, request: LaunchRequest): Promise<ResolvedRequest> {
  const experiment = findExperiment(workspace, request.experiment)
  const parameterFile = request.parameterFile === null ? null : resolve(workspace.cwd, request.parameterFile)
  const grid = buildGrid({
    experimentArguments: request.experimentArguments,
    groups: request.groups,
    ranges: request.ranges,
    values: request.values,
    ...(request.parameterFile !== null && { file: readParameterFile(request.parameterFile) }),
  })
  const runner = workspace.findRunner(request.runner)
  const resolved = resolveTemplate(workspace.config, request.runner, request.submitTemplate ?? undefined)
  const { environment, options } = jobOptions(runner, resolved)
  const groupCount = gridSize(grid)
  return {
    request,
    experiment,
    grid,
    groupCount,
    runner,
    templateName: resolved.name,
    template: resolved.template,
    environment,
    options,
    container: request.container === null ? null : await resolveContainer(workspace, request.container, request.gpu),
    slots: slotsOf(request.slots, environment.maxParallel, runner.kind.evidence === 'queue'),
    storagePath: request.storagePath === null ? null : readStoragePath(workspace, request.storagePath),
    token: randomUUID(),
    datasetPaths: datasetPaths(workspace, experiment),
    frozen: isFrozen(request, workspace.config.snapshot, groupCount, runner),
    uncountedFiles: [
      ...[parameterFile, request.submitTemplate && resolve(workspace.cwd, request.submitTemplate)],
      ...exportFolders(workspace),
    ].filter(path => path !== null),
  }
}

/** Where documents get files of runs: what comes there is no change of the code. Absolute. */
export function exportFolders(workspace: Workspace): string[] {
  return workspace.store.documents.list().map(({ path }) => join(absolutePath(workspace, path), 'exports'))
}

/** Of both limits the lower one; without any a scheduler decides, and on this machine groups run one by one. */
function slotsOf(given: string | null, maxParallel: number | null, isScheduler: boolean): number | null {
  const limits = [given === null ? null : readSlots(given), maxParallel].filter(limit => limit !== null)
  if (given === null && !isScheduler) return 1
  return limits.length > 0 ? Math.min(...limits) : null
}

function readSlots(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new UserError(`--n_threads ${text}: a whole number from 1 on is needed`, 'write, for example: --n_threads 4')
}

/** Auto: everything but a single group in the foreground, whose tree its user sees. */
function isFrozen(
  request: LaunchRequest,
  setting: 'auto' | 'always' | 'never',
  groupCount: number,
  { kind }: Runner,
): boolean {
  if (request.commitSha !== null) return true
  const snapshot = request.snapshot ?? setting
  if (snapshot !== 'auto') return snapshot === 'always'
  return groupCount > 1 || request.detach || kind.evidence === 'queue'
}

/** Where a run is to be: all that the plan needs and the request does not hold. */
export interface RunPlace {
  readonly runId: number
  /** Absolute. */
  readonly storagePath: string
  /** Absolute. */
  readonly workingDirectory: string
  /** Absolute, in the order of the experiment's datasets. */
  readonly datasetPaths: readonly string[]
  readonly commit: string
}

/** The plan of a resolved request at a place. */
export function planOf(workspace: Workspace, resolved: ResolvedRequest, place: RunPlace): RunPlan {
  const { experiment, grid, groupCount, environment, container, slots, token } = resolved
  return {
    ...place,
    experiment: experiment.name,
    jobName: jobNameOf(experiment.name, place.runId),
    token,
    projectRoot: workspace.project.root,
    attempt: 1,
    indices: null,
    groupCount,
    slots,
    ...programOf(experiment),
    environment,
    container,
    boundPaths: container ? pathsToBind([workspace.project.root, place.storagePath, ...place.datasetPaths]) : [],
    umask: process.umask(),
    argumentsOf: index => argumentsOf(grid, index),
  }
}

/** Absolute paths of an experiment's datasets, as the project has them; a missing one may be there on the nodes. */
export function datasetPaths(workspace: Workspace, experiment: Experiment): string[] {
  const paths = experiment.datasets.map(name => absolutePath(workspace, findDataset(workspace, name).path))
  const missing = paths.filter(path => !existsSync(path))
  for (const path of missing) workspace.warn(`the dataset path ${path} is not on this machine`)
  return paths
}

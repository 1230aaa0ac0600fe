import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { Container } from '../../domain/container.js'
import type { Experiment } from '../../domain/experiment.js'
import type { JobEnvironment } from '../../domain/job-environment.js'
import { addedOptions, givenTwice, optionWords } from '../../domain/parameters/added-options.js'
import { buildGrid } from '../../domain/parameters/build-grid.js'
import { argumentsOf, gridSize, type ParameterGrid } from '../../domain/parameters/grid.js'
import type { Doubt } from '../../domain/parameters/slips.js'
import { type CopiedCode, callOf, jobNameOf, type RunPlan } from '../../domain/runs/run-plan.js'
import { UserError } from '../../errors.js'
import type { Config } from '../../project/config.js'
import { readParameterFile } from '../../project/parameter-file.js'
import { refuseOthersFolder } from '../../project/result-folder.js'
import { resolveTemplate } from '../../project/templates/templates.js'
import { readStoragePath } from '../../runfolder/storage-path.js'
import type { Runner } from '../../runners/types.js'
import { refuseNested } from '../folder/run-place.js'
import { datasetPaths } from '../registry/dataset-paths.js'
import { driftHint, driftSummary, driftsOf } from '../registry/drift.js'
import { exportFolders } from '../registry/export-folders.js'
import { findExperiment } from '../registry/find-experiment.js'
import { resultFolder, type Workspace } from '../workspace.js'
import { pathsToBind, resolveContainer } from './container.js'
import type { Copied } from './frozen/copied-code.js'
import { jobOptions } from './job-options.js'
import { withAbsolutePaths } from './outside-paths.js'
import { checkShellLines } from './shell-lines.js'

/** Options of a launch, as typed or as written in a document. */
export interface LaunchOptions {
  /** Relative to the current folder, as are a template and a container that are files. */
  readonly parameterFile: string | null
  readonly runner: string
  readonly submitTemplate: string | null
  readonly slots: string | null
  readonly storagePath: string | null
  readonly tags: readonly string[]
  readonly description: string
  readonly container: string | null
  readonly gpu: boolean
}

/** A request of `qanat run`. */
export interface LaunchRequest extends LaunchOptions {
  /** The words that were typed after `qanat run`, for hints that repeat them. */
  readonly typed: readonly string[]
  readonly experiment: string
  readonly experimentArguments: readonly string[]
  readonly groups: readonly string[]
  readonly ranges: readonly string[]
  readonly values: readonly string[]
  readonly snapshot: 'auto' | 'always' | 'never' | null
  /** A commit, tag or branch to run instead of what is checked out. */
  readonly commitSha: string | null
  readonly commitMessage: string | null
  readonly allowDirty: boolean
  readonly detach: boolean
  /** A number above 0; null for no limit. */
  readonly maxFailures: string | null
  /** What looks odd in the line that was typed. */
  readonly odd?: OddWords
}

/** What looks odd in a line. */
export interface OddWords {
  /** Words that look as if the `-g` before them was forgotten. */
  readonly forgotten: readonly Doubt[]
  /** Options of the script that are near to one of ours, with that one. */
  readonly nearOurs: readonly { readonly given: string; readonly meant: string; readonly line: string | null }[]
}

/** What a launch needs to know first. */
export interface Launchable {
  readonly experiment: Experiment
  readonly grid: ParameterGrid
  /** Whether the groups run in a frozen copy. */
  readonly frozen: boolean
}

/** All that a launch needs besides the code to run: parsed and checked before anything is made. */
export interface ResolvedRequest extends Launchable {
  readonly groupCount: number
  readonly runner: Runner
  readonly templateName: string | null
  readonly template: Readonly<Record<string, unknown>>
  readonly environment: JobEnvironment
  readonly options: unknown
  readonly container: Container | null
  /** At most this many groups at a time; null if the scheduler decides. */
  readonly slots: number | null
  /** Absolute folder of the run; null for a new folder among the results. */
  readonly storagePath: string | null
  readonly token: string
  /** Absolute, in the order of the experiment's datasets; the project's paths, not those in the frozen copy. */
  readonly datasetPaths: readonly string[]
  /** Absolute paths whose changes do not make the tree dirty: the files named on the command line, and folders of exports. */
  readonly uncountedFiles: readonly string[]
  readonly tags: readonly string[]
  readonly description: string
  /** Id of the run that this one reruns; null for any other. */
  readonly rerunOf: number | null
  /** No group starts after this many have failed; null for no limit. */
  readonly maxFailures: number | null
}

/** Parses a request and checks everything that can be checked without making anything. */
export async function resolveRequest(workspace: Workspace, request: LaunchRequest): Promise<ResolvedRequest> {
  const experiment = findExperiment(workspace, request.experiment)
  warnOfDrift(workspace, experiment.name)
  const grid = buildGrid({
    experimentArguments: request.experimentArguments,
    groups: request.groups,
    ranges: request.ranges,
    values: request.values,
    ...(request.parameterFile !== null && { file: readParameterFile(request.parameterFile) }),
  })
  refuseAdded(experiment, grid, request.experimentArguments.length)
  const frozen = isFrozen(
    request,
    workspace.config,
    gridSize(grid),
    workspace.findRunner(workspace.site, request.runner),
  )
  const maxFailures = request.maxFailures === null ? null : readCount('--max_failures', request.maxFailures)
  const resolved = await resolveLaunch(workspace, { experiment, grid, frozen }, request)
  return { ...resolved, maxFailures }
}

/** Options that Qanat adds are no parameters. @param typed how many words come from the line, which the command line has checked */
function refuseAdded(experiment: Experiment, { fixed, ...varying }: ParameterGrid, typed: number): void {
  const args = fixed.args.slice(0, fixed.args.length - typed)
  const text = givenTwice(optionWords({ ...varying, fixed: { ...fixed, args } }), addedOptions(experiment))
  if (text !== null) throw new UserError(text, 'leave it out of the parameters')
}

/** Somebody who has edited the file of an experiment may take it for what runs. */
function warnOfDrift(workspace: Workspace, name: string): void {
  const drift = driftsOf(workspace, 'experiment', name).find(({ isCopy }) => !isCopy)
  if (drift) workspace.warn(`${driftSummary(drift)}; the run uses what is registered. See: ${driftHint(drift)}`)
}

/** Parses and checks the options of a launch, also for a run that was not typed on a command line. */
export async function resolveLaunch(
  workspace: Workspace,
  launchable: Launchable,
  given: LaunchOptions,
): Promise<ResolvedRequest> {
  const runner = workspace.findRunner(workspace.site, given.runner)
  const { name, template, file } = resolveTemplate(workspace.config, given.runner, given.submitTemplate ?? undefined)
  const { environment, options } = jobOptions(runner, { name, template })
  await checkShellLines(runner.site, name, environment)
  const { cwd, project } = workspace
  const results = resultFolder(workspace)
  if (given.storagePath === null) refuseOthersFolder(project.root, results)
  const storagePath = given.storagePath === null ? null : readStoragePath(project.root, results, cwd, given.storagePath)
  refuseNested(workspace, launchable.experiment.name, storagePath)
  const named = [given.parameterFile, file].filter(path => path !== null)
  return {
    ...launchable,
    groupCount: gridSize(launchable.grid),
    runner,
    templateName: name,
    template,
    environment,
    options,
    container: given.container === null ? null : await resolveContainer(workspace, given.container, given.gpu),
    slots: slotsOf(given.slots, environment.maxParallel, runner.kind.evidence === 'queue'),
    storagePath,
    token: randomUUID(),
    datasetPaths: datasetPaths(workspace, launchable.experiment),
    uncountedFiles: [...named.map(path => resolve(cwd, path)), ...exportFolders(workspace)],
    tags: given.tags,
    description: given.description,
    rerunOf: null,
    maxFailures: null,
  }
}

/** The lower of both limits. Without any, a scheduler decides, and this machine runs one group at a time. */
function slotsOf(given: string | null, maxParallel: number | null, isScheduler: boolean): number | null {
  const limits = [given === null ? null : readCount('--n_threads', given), maxParallel].filter(limit => limit !== null)
  if (given === null && !isScheduler) return 1
  return limits.length > 0 ? Math.min(...limits) : null
}

function readCount(option: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new UserError(`${option} ${text}: expected a whole number above 0`, `write, for example: ${option} 4`)
}

/** `auto` freezes every run except a single group in the foreground. */
function isFrozen(
  request: LaunchRequest,
  config: Pick<Config, 'snapshot' | 'prepare'>,
  groupCount: number,
  { kind }: Runner,
): boolean {
  if (request.commitSha !== null) return true
  const snapshot = request.snapshot ?? config.snapshot
  if (snapshot !== 'auto') return snapshot === 'always'
  return groupCount > 1 || request.detach || kind.evidence === 'queue' || config.prepare.length > 0
}

/** The paths that a plan needs besides the request, all of this machine. */
export interface RunPaths {
  readonly runId: number
  /** Absolute. */
  readonly storagePath: string
  /** Absolute. */
  readonly workingDirectory: string
  /** Absolute, in the order of the experiment's datasets. */
  readonly datasetPaths: readonly string[]
  readonly commit: string
  /** Null if the groups run in the tree. */
  readonly copied: Copied | null
}

/** Makes a plan from a resolved request and its paths. */
export function planOf(workspace: Workspace, resolved: ResolvedRequest, paths: RunPaths): RunPlan {
  const { experiment, grid, groupCount, environment, container, slots, maxFailures, token } = resolved
  const { runId, commit, copied } = paths
  const { site } = resolved.runner
  const there = (path: string) => site.there(path)
  const plan: RunPlan = {
    runId,
    place: { here: paths.storagePath, there: there(paths.storagePath) },
    workingDirectory: there(paths.workingDirectory),
    datasetPaths: paths.datasetPaths.map(there),
    commit,
    experiment: experiment.name,
    jobName: jobNameOf(experiment.name, runId),
    token,
    projectRoot: there(workspace.project.root),
    attempt: 1,
    indices: null,
    groupCount,
    slots,
    jobsAhead: [],
    maxFailures,
    ...callOf(experiment),
    outputs: experiment.results.outputs,
    environment,
    container,
    boundPaths: container ? pathsToBind(usedPaths(workspace, paths)).map(there) : [],
    umask: process.umask(),
    copied: copied && codeThere(copied.code, there),
    argumentsOf: index => argumentsOf(grid, index),
  }
  return copied ? withAbsolutePaths(plan, copied, there) : plan
}

/** A frozen copy with the paths that it has at a site. */
function codeThere(
  { repository, copy, python, programs, variables }: CopiedCode,
  there: (path: string) => string,
): CopiedCode {
  return {
    ...{ repository: there(repository), copy: there(copy), programs: programs.map(there), variables },
    python: python === '' ? '' : there(python),
  }
}

/** The folders that groups read and write, absolute: scripts may read the results of earlier runs, too. */
function usedPaths(workspace: Workspace, { storagePath, datasetPaths }: RunPaths): string[] {
  const results = resultFolder(workspace)
  const isInResults = storagePath.startsWith(`${results}/`)
  return [workspace.project.root, isInResults ? results : storagePath, ...datasetPaths]
}

import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { Experiment } from '../../domain/experiment.js'
import { readCount, runOptions } from '../../domain/options/run-options.js'
import { refuseFewSlots } from '../../domain/packs/pack.js'
import { addedOptions, givenTwice, optionWords } from '../../domain/parameters/added-options.js'
import { buildGrid } from '../../domain/parameters/build-grid.js'
import { gridSize, type ParameterGrid } from '../../domain/parameters/grid.js'
import { type LastingPlan, lastingPlan } from '../../domain/runs/run-plan.js'
import { UserError } from '../../errors.js'
import type { Config } from '../../project/config.js'
import { readParameterFile } from '../../project/parameter-file.js'
import { refuseOthersFolder } from '../../project/result-folder.js'
import { type ResolvedTemplate, resolveTemplate, withGpuDevices } from '../../project/templates/templates.js'
import { readStoragePath } from '../../runfolder/storage-path.js'
import type { Runner } from '../../runners/types.js'
import { refuseNested } from '../folder/run-place.js'
import { uncountedPlaces } from '../registry/export-folders.js'
import { intactExperiment } from '../registry/find-experiment.js'
import { type LaunchedStage, placeDatasets } from '../results/stages.js'
import { configAt, isInForeground, resultFolder, type Workspace } from '../workspace.js'
import { resolveContainer } from './container.js'
import { jobOptions } from './job-options.js'
import type { LaunchRequest } from './request.js'
import { checkShellLines } from './shell-lines.js'

/** All that a launch needs of groups besides their place: parsed and checked before anything is made. */
export interface ResolvedLaunch {
  readonly plan: LastingPlan
  readonly experiment: Experiment
  readonly grid: ParameterGrid
  readonly runner: Runner
  readonly template: ResolvedTemplate
  /** The template's options for this runner. */
  readonly options: unknown
  /** Absolute, in the order of the experiment's datasets; the project's paths, not those in a frozen copy. */
  readonly datasetPaths: readonly string[]
}

/** The launch of a new run. */
export interface ResolvedRun extends ResolvedLaunch {
  /** Whether the groups run in a frozen copy. */
  readonly frozen: boolean
  /** Absolute folder of the run; null for a new folder among the results. */
  readonly storagePath: string | null
  /** Datasets that experiments make; what they mean was looked for when the launch was resolved. */
  readonly stages: readonly LaunchedStage[]
  /** Absolute paths whose changes do not make the tree dirty: the files named on the command line, and folders of exports. */
  readonly uncountedFiles: readonly string[]
  readonly tags: readonly string[]
  readonly description: string
  /** Id of the run that this one reruns; null for any other. */
  readonly rerunOf: number | null
  /** Id of the run whose unfinished cells it is launched for; null for any other. */
  readonly fillOf: number | null
  /** Called in the transaction that makes the run. @throws if what decided on its groups has changed */
  readonly refuseTaken?: () => void
}

/**
 * Parses a request and checks everything that can be checked without making anything.
 * @param grid of its groups, if these are not all that it asks for
 */
export async function resolveRequest(
  workspace: Workspace,
  request: LaunchRequest,
  grid = requestedGrid(workspace, request),
): Promise<ResolvedRun> {
  const { options: asked } = request
  const { cwd, project } = workspace
  const experiment = intactExperiment(workspace, request.experiment)
  const context = workspace.findContext(workspace.site.name)
  const config = configAt(workspace, workspace.site)
  const kind = asked.runner ?? context?.runner ?? runOptions.runner.default
  const runner = workspace.findRunner(workspace.site, kind)
  const frozen = isFrozen(request, config, gridSize(grid), runner)
  const maxFailures = asked.max_failures === undefined ? null : readCount('max_failures', asked.max_failures)
  const { file, ...found } = resolveTemplate(
    config,
    kind,
    asked.submit_template ?? context?.submitTemplate ?? undefined,
  )
  const template = asked.gpus === undefined ? found : withGpuDevices(found, asked.gpus)
  const { environment, options } = jobOptions(runner, template)
  await checkShellLines(runner.site, template.name, environment)
  const slots = slotsOf(asked.n_threads, environment.maxParallel, runner.kind.traits.has('dealsSlots'))
  refuseFewSlots(environment.pack, gridSize(grid), slots)
  const results = resultFolder(workspace)
  const folder = asked.storage_path
  if (folder === undefined) refuseOthersFolder(project.root, results)
  const storagePath = folder === undefined ? null : readStoragePath(project.root, results, cwd, folder)
  refuseNested(workspace, experiment.name, storagePath)
  const named = [asked.param_file, file].filter(path => path !== undefined && path !== null)
  const { container: image } = asked
  return {
    plan: lastingPlan(experiment, grid, {
      token: randomUUID(),
      projectRoot: runner.site.there(project.root),
      slots,
      maxFailures,
      environment,
      container: image === undefined ? null : await resolveContainer(workspace, image, asked.gpu === true),
      umask: process.umask(),
    }),
    experiment,
    grid,
    runner,
    template,
    options,
    frozen,
    storagePath,
    ...(await placeDatasets(workspace, experiment)),
    uncountedFiles: [...named.map(path => resolve(cwd, path)), ...uncountedPlaces(workspace)],
    tags: [...new Set(asked.tag ?? [])],
    description: asked.description ?? '',
    rerunOf: null,
    fillOf: null,
  }
}

/** The groups that a request asks for. @throws UserError for options that Qanat itself adds */
export function requestedGrid(workspace: Workspace, request: LaunchRequest): ParameterGrid {
  const grid = gridOf(request)
  refuseAdded(intactExperiment(workspace, request.experiment), grid, request.experimentArguments.length)
  return grid
}

function gridOf({ experimentArguments, options }: LaunchRequest): ParameterGrid {
  const { group_param: groups = [], range_param: ranges = [], values = [], param_file: file } = options
  return buildGrid({
    experimentArguments,
    groups,
    ranges,
    values,
    ...(file !== undefined && { file: readParameterFile(file) }),
  })
}

/** Options that Qanat adds are no parameters. @param typed how many words come from the line, which the command line has checked */
function refuseAdded(experiment: Experiment, { fixed, ...varying }: ParameterGrid, typed: number): void {
  const args = fixed.args.slice(0, fixed.args.length - typed)
  const text = givenTwice(optionWords({ ...varying, fixed: { ...fixed, args } }), addedOptions(experiment))
  if (text !== null) throw new UserError(text, 'leave it out of the parameters')
}

/** The lower of both limits. Without any, Qanat starts one group at a time, and a scheduler decides. */
function slotsOf(given: string | undefined, maxParallel: number | null, dealsSlots: boolean): number | null {
  const limits = [given === undefined ? null : readCount('n_threads', given), maxParallel].filter(
    limit => limit !== null,
  )
  if (given === undefined && dealsSlots) return 1
  return limits.length > 0 ? Math.min(...limits) : null
}

/** `auto` freezes every run except a single group in the foreground. */
function isFrozen(
  { options }: LaunchRequest,
  config: Pick<Config, 'snapshot' | 'prepare'>,
  groupCount: number,
  runner: Runner,
): boolean {
  if (options.commit_sha !== undefined || !runner.site.isHere) return true
  const snapshot = options.snapshot ?? config.snapshot
  if (snapshot !== 'auto') return snapshot === 'always'
  return groupCount > 1 || options.detach === true || !isInForeground(runner) || config.prepare.length > 0
}

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { hasCommit, type RunCode } from '../../code/run-code.js'
import { inspectTree } from '../../code/tree-state.js'
import { findPatch, restorePatch } from '../../code/working-patch.js'
import { differenceText } from '../../domain/data/compare-listings.js'
import { gridSize } from '../../domain/parameters/grid.js'
import type { Run } from '../../domain/runs/run.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import { type ResolvedTemplate, resolveTemplate } from '../../project/templates/templates.js'
import { patchFile } from '../../runfolder/layout.js'
import { dataBetween } from '../data/compare-data.js'
import { recordedTemplate } from '../secrets/recorded-template.js'
import { absolutePath, runnerOf, type Workspace } from '../workspace.js'
import { jobOptions } from './job-options.js'
import type { ResolvedRequest } from './launch-request.js'
import { confirmMany, launchResolved, type Questions } from './launch-run.js'
import { environmentChanges, warnOfEnvironment } from './record/environment-changes.js'
import { recordedDatasets, warnOfMoved } from './record/recorded-datasets.js'
import { checkShellLines } from './shell-lines.js'

/**
 * Launches a run again as a new run that refers to it: the same groups, runner, template, container and commit, in a
 * frozen copy. Tags and description are remarks on the old run, and are not copied.
 * @param submitTemplate name or file of another template; null for the recorded one
 * @param ask null if there is nobody to ask
 */
export async function rerun(
  workspace: Workspace,
  run: Run,
  submitTemplate: string | null,
  ask: Pick<Questions, 'many'> | null,
  interruption: AbortSignal,
): Promise<Run> {
  const code = await codeOf(workspace, run)
  const template = await templateAgain(workspace, run, submitTemplate, 'rerun')
  const resolved = resolveAgain(workspace, run, code, template)
  await confirmMany(workspace, resolved.groupCount, ask)
  warnOfMoved(workspace, run, resolved.datasetPaths)
  warnOfOtherOutputs(workspace, run)
  const [launched, changes] = await Promise.all([
    launchResolved(workspace, resolved, async () => code, interruption),
    environmentChanges(workspace, run, resolved),
  ])
  warnOfEnvironment(workspace, run, launched, changes)
  for (const { dataset, difference } of dataBetween(workspace, run, launched)) {
    workspace.warn(`dataset ${dataset} has changed since run ${run.id}: ${differenceText(difference)}`)
  }
  return launched
}

/**
 * Warns if other outputs are registered now: groups that run again have to leave those that were registered when their
 * run was launched.
 */
export function warnOfOtherOutputs({ store, warn }: Workspace, { id, experiment }: Run): void {
  const now = store.experiments.find(experiment)?.results.outputs
  const recorded = store.runs.definition(id).experiment.results.outputs
  if (now === undefined || isDeepStrictEqual(now, recorded)) return
  const [before, after] = [recorded, now].map(outputs => (outputs.length === 0 ? 'no outputs' : outputs.join(', ')))
  warn(
    `the outputs of ${experiment} have changed since run ${id}: its groups still have to leave ${before}, and not ${after}
${displayCommand(['qanat', 'run', experiment])} …        goes by what is registered now`,
  )
}

/**
 * The template for a run that is launched again.
 * @param given name or file of a template, used as it is now; null for the recorded one
 * @param command that launches it, for the hint
 */
export async function templateAgain(
  workspace: Workspace,
  run: Run,
  given: string | null,
  command: string,
): Promise<ResolvedTemplate> {
  if (given === null) return recordedTemplate(workspace, run, command)
  const resolved = resolveTemplate(workspace.config, run.runner, given)
  const runner = runnerOf(workspace, run)
  const { environment } = jobOptions(runner, resolved)
  await checkShellLines(runner.site, resolved.name, environment)
  return resolved
}

/** The request of an earlier run, resolved again; only its folder is not decided yet. @param code the recorded code */
export function resolveAgain(
  workspace: Workspace,
  run: Run,
  code: RunCode,
  { name, template }: ResolvedTemplate,
): ResolvedRequest {
  const { grid, experiment } = workspace.store.runs.launch(run.id)
  const { slots, container } = run.runnerParameters
  const runner = runnerOf(workspace, run)
  const { environment, options } = jobOptions(runner, { name, template })
  return {
    experiment: { ...experiment, name: run.experiment },
    grid,
    groupCount: gridSize(grid),
    runner,
    templateName: name,
    template,
    environment,
    options,
    container,
    slots,
    storagePath: null,
    token: randomUUID(),
    datasetPaths: recordedDatasets(workspace, run, code),
    frozen: true,
    uncountedFiles: [],
    tags: [],
    description: '',
    rerunOf: run.id,
    maxFailures: null,
  }
}

/** The code that a run recorded, including its uncommitted changes. */
export async function codeOf(workspace: Workspace, run: Run): Promise<RunCode> {
  const state = await inspectTree(workspace.project.root)
  const { token, tree } = workspace.store.runs.launch(run.id)
  if (!(await hasCommit(state, run.commit))) {
    throw new UserError(
      `the commit of run ${run.id} is not in this repository: ${run.commit}`,
      'fetch it from where the run was launched, or launch a new run',
    )
  }
  if (tree === null) return { state, commit: run.commit, patch: null }
  const file = join(absolutePath(workspace, run.storagePath), patchFile)
  const patch =
    (await findPatch(state, token, tree)) ?? (await restorePatch({ ...state, head: run.commit }, tree, file))
  if (patch) return { state, commit: run.commit, patch }
  throw new UserError(
    `the uncommitted changes of run ${run.id} are not in this repository, and ${file} is not their patch`,
    'copy this file from where the run was launched, or launch a new run',
  )
}

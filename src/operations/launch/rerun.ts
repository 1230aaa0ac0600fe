import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { hasCommit, type RunCode } from '../../code/run-code.js'
import { inspectTree } from '../../code/tree-state.js'
import { findPatch, restorePatch } from '../../code/working-patch.js'
import { differenceText } from '../../domain/data/compare-listings.js'
import type { Asked } from '../../domain/options/run-options.js'
import { refuseFewSlots } from '../../domain/packs/pack.js'
import { gridSize } from '../../domain/parameters/grid.js'
import type { Run } from '../../domain/runs/run.js'
import { lastingPlan } from '../../domain/runs/run-plan.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import { resolveTemplate } from '../../project/templates/templates.js'
import { patchFile } from '../../runfolder/layout.js'
import { dataBetween } from '../data/compare-data.js'
import { recordedTemplate } from '../secrets/recorded-template.js'
import { absolutePath, configAt, runnerOf, type Workspace } from '../workspace.js'
import { jobOptions } from './job-options.js'
import { confirmMany, launchResolved } from './launch-run.js'
import { environmentChanges, warnOfEnvironment } from './record/environment-changes.js'
import { recordedDatasets, warnOfMoved } from './record/recorded-datasets.js'
import type { Questions } from './request.js'
import type { ResolvedLaunch, ResolvedRun } from './resolve.js'
import { checkShellLines } from './shell-lines.js'

/** What can be asked of a run that is launched again. */
export type Again = Pick<Asked, 'submit_template'>

/**
 * Launches a run again as a new run that refers to it: the same groups, runner, template, container and commit, in a
 * frozen copy. Tags and description are remarks on the old run, and are not copied.
 * @param asked of it besides
 * @param ask null if there is nobody to ask
 */
export async function rerun(
  workspace: Workspace,
  run: Run,
  asked: Again,
  ask: Pick<Questions, 'many'> | null,
  interruption: AbortSignal,
): Promise<Run> {
  const code = await codeOf(workspace, run)
  const resolved: ResolvedRun = {
    ...(await resolveAgain(workspace, run, code, asked, { command: 'rerun', token: randomUUID() })),
    ...{
      frozen: true,
      storagePath: null,
      uncountedFiles: [],
      tags: [],
      description: '',
      stages: [],
      rerunOf: run.id,
      fillOf: null,
    },
  }
  await confirmMany(workspace, resolved.plan.groupCount, ask)
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
 * What a run was launched with, for another launch of its groups.
 * @param code the recorded code
 * @param asked a template that is given is used as it is now
 * @param as the command, for a hint, and the token of the run
 */
export async function resolveAgain(
  workspace: Workspace,
  run: Run,
  code: RunCode,
  { submit_template: given }: Again,
  { command, token }: { readonly command: string; readonly token: string },
): Promise<ResolvedLaunch> {
  const { grid, experiment: recorded } = workspace.store.runs.launch(run.id)
  const { slots, container } = run.runnerParameters
  const experiment = { ...recorded, name: run.experiment }
  const runner = runnerOf(workspace, run)
  const template =
    given === undefined
      ? recordedTemplate(workspace, run, command)
      : resolveTemplate(configAt(workspace, runner.site), run.runner, given)
  const { environment, options } = jobOptions(runner, template)
  if (given !== undefined) await checkShellLines(runner.site, template.name, environment)
  refuseFewSlots(environment.pack, gridSize(grid), slots)
  const how = {
    token,
    projectRoot: runner.site.there(workspace.project.root),
    slots,
    maxFailures: null,
    umask: process.umask(),
  }
  return {
    plan: lastingPlan(experiment, grid, { ...how, environment, container }),
    experiment,
    grid,
    runner,
    template,
    options,
    datasetPaths: recordedDatasets(workspace, run, code),
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

import { join } from 'node:path'
import type { FrozenCode } from '../../../code/frozen/frozen-code.js'
import type { RunCode } from '../../../code/run-code.js'
import { dropReferences } from '../../../code/run-reference.js'
import type { Attempt } from '../../../domain/runs/launch.js'
import { launcherOf } from '../../../project/clone.js'
import { claimResultFolder } from '../../../project/result-folder.js'
import { templateToRecord } from '../../../project/templates/templates.js'
import { explainFolder } from '../../../runfolder/folder-errors.js'
import {
  highestRunId,
  isTaken,
  makeFolders,
  makeRunFolder,
  removalOf,
  removeRunFolder,
} from '../../../runfolder/folders.js'
import { faultPoint } from '../../../system/fault-point.js'
import { refuseNested } from '../../folder/run-place.js'
import { resultFolder, storedPath, type Workspace } from '../../workspace.js'
import type { CodePaths } from '../paths.js'
import type { ResolvedRun } from '../resolve.js'

/** What is known of a run before it gets its id. */
export interface RunFacts {
  readonly resolved: ResolvedRun
  readonly code: RunCode
  /** Hash of the files that count as code of the experiment; null if git does not have the code. */
  readonly codeUsed: string | null
  readonly frozen: FrozenCode | null
  readonly paths: CodePaths
  /** The host on which the groups run; null if a scheduler decides that. */
  readonly host: string | null
}

/** A run that has just got its id and its folder. */
export interface NewRun {
  readonly id: number
  /** Absolute. */
  readonly storagePath: string
  /** The topmost folder that was made for it, absolute: the rollback of a launch removes no more than that. */
  readonly made: string
}

/**
 * Gives a run its id, its folder and its row, all or none.
 * @throws OperationError if the folder cannot be made
 */
export function createRun(workspace: Workspace, facts: RunFacts): NewRun {
  const { store } = workspace
  const { storagePath: given, experiment } = facts.resolved
  return store.transaction(() => {
    facts.resolved.refuseTaken?.()
    // Another launch may have taken a folder inside or around it since it was checked.
    refuseNested(workspace, experiment.name, given)
    const results = resultFolder(workspace)
    const parent = join(results, experiment.name)
    if (given === null) makeResultFolder(workspace, results, parent)
    let id = nextId(workspace)
    const chosen = () => join(parent, `run_${id}`)
    // A run that was stored there, or in it, may be in the trash, or on a disk that is not mounted.
    while (given === null && (isTaken(chosen()) || store.runs.places(storedPath(workspace, chosen())).length > 0)) id++
    const storagePath = given ?? chosen()
    let made = storagePath
    try {
      const topmost = makeRunFolder(storagePath)
      // Another launch may be about to use the folder of the experiment.
      if (given !== null) made = topmost
      faultPoint('run-folder-made')
      insert(workspace, id, storedPath(workspace, storagePath), facts)
      faultPoint('run-inserted')
    } catch (error) {
      removeRunFolder(storagePath, made, facts.resolved.plan.groupCount)
      throw explainFolder(error, storagePath)
    }
    return { id, storagePath, made }
  })
}

/**
 * Makes and claims the result folder. This comes before the folder of the run: if another project is faster, nothing of
 * the run is in its folder.
 */
function makeResultFolder(workspace: Workspace, folder: string, experiment: string): void {
  try {
    makeFolders(folder)
    claimResultFolder(workspace.project.root, folder)
  } catch (error) {
    throw explainFolder(error, experiment, folder)
  }
}

/** The id that the next run gets: above every id ever given, and in a new database above every run folder. */
export function nextId(workspace: Workspace): number {
  const last = workspace.store.runs.lastId()
  return (last === 0 ? highestRunId(resultFolder(workspace)) : last) + 1
}

function insert(workspace: Workspace, id: number, storagePath: string, facts: RunFacts): void {
  const { resolved, code, codeUsed, frozen, paths } = facts
  const { experiment, grid, plan, template } = resolved
  workspace.store.runs.insert(
    id,
    {
      experiment: experiment.name,
      groupCount: plan.groupCount,
      site: resolved.runner.site.name,
      runner: resolved.runner.kind.name,
      runnerParameters: {
        submitTemplate: template.name,
        resolved: templateToRecord(template.template),
        slots: plan.slots,
        container: plan.container,
      },
      commit: code.commit,
      dirty: code.patch !== null,
      codeUsed,
      codeChanged: frozen ? false : null,
      frozen: frozen?.folder ?? null,
      storagePath,
      description: resolved.description,
      tags: resolved.tags,
      rerunOf: resolved.rerunOf,
      fillOf: resolved.fillOf,
      retired: null,
      launched: Date.now(),
      started: null,
      host: facts.host,
    },
    {
      token: plan.token,
      grid,
      experiment,
      datasetPaths: paths.datasetPaths.map(path => storedPath(workspace, path)),
      tree: code.patch?.tree ?? null,
      uncountedFiles: resolved.uncountedFiles.map(path => storedPath(workspace, path)),
      attempts: [firstAttempt(workspace, resolved)],
    },
  )
}

function firstAttempt(workspace: Workspace, { template: { name, template } }: ResolvedRun): Attempt {
  const launched = { launched: Date.now(), launcher: launcherOf(workspace.project) }
  const asked = { groups: null, submitTemplate: name, resolved: templateToRecord(template) }
  return { attempt: 1, ...asked, ...launched, complete: false, cancelled: null, submissions: [] }
}

/** Rolls back a launch that failed: removes its row, its folder, its ref. */
export async function dropRun(
  workspace: Workspace,
  { id, storagePath, made }: NewRun,
  { plan: { token, groupCount }, runner: { site } }: Pick<ResolvedRun, 'plan' | 'runner'>,
): Promise<void> {
  const { folder, changes } = removalOf(storagePath, made, groupCount)
  faultPoint('drop-begin')
  await site.mutate({ here: folder, there: site.there(folder) }, changes)
  faultPoint('drop-folder')
  await dropReferences(workspace.project.root, [token])
  faultPoint('drop-reference')
  // The row comes last: after a crash in between, the row still tells what to remove.
  workspace.store.transaction(() => workspace.store.runs.delete(id))
}

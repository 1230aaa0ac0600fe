import type { Experiment } from '../../domain/experiment.js'
import type { Run } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import { writeLaunchFiles } from '../../runfolder/files/launch-files.js'
import { isGone, isThere } from '../../runfolder/folders.js'
import { writeInfo } from '../../runfolder/info.js'
import { holdsRun, renewRecord } from '../../runfolder/record.js'
import type { Prepared } from '../../runners/types.js'
import { absolutePath, storedPath, type Workspace } from '../workspace.js'

/** Writes the files of a launch to the run's folder, before anything is submitted. */
export function writeRunFiles(workspace: Workspace, prepared: Prepared, experiment: Experiment): void {
  const { plan } = prepared
  writeInfo(plan, {
    experimentId: workspace.store.experiments.id(experiment.name),
    executableCommand: experiment.executableCommand,
    storagePath: storedPath(workspace, plan.place.here),
    datasets: Object.fromEntries(experiment.datasets.map((name, number) => [name, plan.datasetPaths[number]!])),
  })
  writePrepared(workspace, prepared)
  writeRunYaml(workspace, plan.runId)
}

/** Writes the files that the runner has prepared. Warns if others can read the values of variables. */
export function writePrepared(workspace: Workspace, { plan, files }: Prepared): void {
  const open = writeLaunchFiles(plan.place.here, files)
  if (Object.keys(plan.environment.env).length === 0) return
  for (const file of open)
    workspace.warn(`others can read the values of env in ${file}: its file system does not keep the modes of files`)
}

/**
 * Updates `.run/run.yaml`, from which the database can be rebuilt; see {@link renewRecord}. It is written again if another
 * command has changed the database meanwhile: that may have written the file first.
 */
function writeRunYaml(workspace: Workspace, id: number): void {
  const { store } = workspace
  const { runs, data } = store
  let version: string
  do {
    version = store.version()
    const run = runs.get(id)
    renewRecord(absolutePath(workspace, run.storagePath), run, runs.launch(id), runs.groupsThatFailed(id), data.of(id))
  } while (store.version() !== version)
}

/**
 * The same for what the database has already: where the file cannot be written, the user is told, and all goes on.
 * @returns whether it was written
 */
export function renewRunYaml(workspace: Workspace, id: number): boolean {
  try {
    writeRunYaml(workspace, id)
    return true
  } catch (error) {
    const run = workspace.store.runs.find(id)
    // Another command may have deleted it in the meantime.
    if (run !== null)
      workspace.warn(`${run.storagePath}/.run/run.yaml could not be updated: ${(error as Error).message}`)
    return false
  }
}

/** The absolute folder of a run. @throws UserError if it is gone, or something else is in its place */
export function runFolder(workspace: Workspace, run: Run): string {
  refuseForeignFolder(workspace, run)
  const folder = absolutePath(workspace, run.storagePath)
  if (isThere(folder)) return folder
  throw new UserError(`the folder of run ${run.id} is gone: ${run.storagePath}`, `qanat rerun ${run.id}`)
}

/** @throws UserError if something else is in the place of a run's folder; a missing folder is fine */
export function refuseForeignFolder(workspace: Workspace, run: Run): void {
  const folder = absolutePath(workspace, run.storagePath)
  if (isGone(folder) || holdsRun(folder, workspace.store.runs.token(run.id))) return
  throw new UserError(
    `the folder of run ${run.id} was replaced by something else: ${run.storagePath}`,
    `move the run's own folder back, or launch the run again: qanat rerun ${run.id}`,
  )
}

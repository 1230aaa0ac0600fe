import type { Experiment } from '../../domain/experiment.js'
import type { Run } from '../../domain/runs/run.js'
import { OperationError, UserError } from '../../errors.js'
import { type Presence, presenceOf } from '../../runfolder/files/presence.js'
import { isGone } from '../../runfolder/folders.js'
import { infoEntry } from '../../runfolder/info.js'
import { secretsFile } from '../../runfolder/layout.js'
import { holdsRun, renewRecord } from '../../runfolder/record.js'
import { secretsEntry } from '../../runfolder/secrets/secrets-file.js'
import type { Prepared } from '../../runners/types.js'
import type { Site } from '../../sites/site.js'
import { absolutePath, readFolder, storedPath, type Workspace } from '../workspace.js'

/** What is needed to record what is known of a run. */
type Recording = Pick<Workspace, 'project' | 'store' | 'warn'>

/** Puts the files of a new run into its folder, before anything is submitted; see {@link putPrepared}. */
export async function putRunFiles(
  workspace: Workspace,
  site: Site,
  prepared: Prepared,
  experiment: Experiment,
  secrets: ReadonlyMap<string, string>,
): Promise<void> {
  const { plan, files } = prepared
  const info = infoEntry(plan, {
    experimentId: workspace.store.experiments.id(experiment.name),
    executableCommand: experiment.executableCommand,
    storagePath: storedPath(workspace, plan.place.here),
    datasets: Object.fromEntries(experiment.datasets.map((name, number) => [name, plan.datasetPaths[number]!])),
  })
  await putPrepared(workspace, site, { plan, files: [...files, info] }, secrets)
  writeRunYaml(workspace, plan.runId)
}

/**
 * Puts the files that the runner has prepared into the folder of a run, with the secrets of the attempt. Warns if others can
 * read the values of variables.
 * @throws OperationError if others can read the secrets; then they are gone
 */
export async function putPrepared(
  workspace: Workspace,
  site: Site,
  {
    plan,
    files,
  }: { readonly plan: Pick<Prepared['plan'], 'place' | 'attempt' | 'environment'> } & Pick<Prepared, 'files'>,
  secrets: ReadonlyMap<string, string>,
): Promise<void> {
  const { place, attempt, environment } = plan
  const open = await site.put(place, [...files, ...secretsEntry(attempt, secrets)])
  if (open.includes(secretsFile(attempt))) {
    await site.mutate(place, [{ remove: secretsFile(attempt) }])
    throw new OperationError(
      `others could read the secrets in ${place.there}: its file system does not keep the modes of files`,
      'qanat config set result_dir FOLDER        uses another one',
    )
  }
  if (Object.keys(environment.env).length === 0) return
  for (const file of open)
    workspace.warn(
      `others can read the values of env in ${place.there}/${file}: its file system does not keep the modes of files`,
    )
}

/**
 * Updates `.run/run.yaml`, from which the database can be rebuilt; see {@link renewRecord}. It is written again if another
 * command has changed the database meanwhile: that may have written the file first.
 */
function writeRunYaml(workspace: Recording, id: number): void {
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
export function renewRunYaml(workspace: Recording, id: number): boolean {
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

/** The absolute folder of a run. @throws UserError if it is gone or not fetched, or something else is in its place */
export function runFolder(workspace: Workspace, run: Run): string {
  refuseForeignFolder(workspace, run)
  const folder = readFolder(workspace, run)
  refuseAbsent(run, presenceOf(folder), run.storagePath)
  return folder.path
}

/** @param path of the folder of a run, or of something in it @throws UserError unless it is there */
export function refuseAbsent({ id, site }: Run, presence: Presence, path: string): void {
  if (presence === 'gone') throw new UserError(`the folder of run ${id} is gone: ${path}`, `qanat rerun ${id}`)
  if (presence === 'not fetched') {
    throw new UserError(
      `run ${id}: ${path} is not fetched from ${site}`,
      `qanat run_fetch ${id}        fetches the files of the run`,
    )
  }
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

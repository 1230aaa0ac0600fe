import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Experiment } from '../../domain/experiment.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import { infoYaml } from '../../runfolder/info.js'
import type { Prepared } from '../../runners/types.js'
import { faultPoint } from '../../system/fault-point.js'
import { atomicWrite } from '../../system/files.js'
import { absolutePath, storedPath, type Workspace } from '../workspace.js'

/** Writes what a launch leaves in the run's folder, before anything is submitted. */
export function writeRunFiles(workspace: Workspace, prepared: Prepared, experiment: Experiment): void {
  const { plan } = prepared
  const info = infoYaml(plan, {
    experimentId: workspace.store.experiments.id(experiment.name),
    executableCommand: experiment.executableCommand,
    storagePath: storedPath(workspace, plan.storagePath),
    datasets: Object.fromEntries(experiment.datasets.map((name, number) => [name, plan.datasetPaths[number]!])),
  })
  atomicWrite(join(plan.storagePath, 'info.yaml'), info)
  writePrepared(prepared)
  writeRunYaml(workspace, plan.runId)
}

/** Writes the files of a launch for its runner. */
export function writePrepared({ plan, files }: Prepared): void {
  for (const { path, text, executable } of files) {
    atomicWrite(join(plan.storagePath, path), text, executable ? 0o777 : 0o666)
    faultPoint('launch-file')
  }
}

/**
 * Renews `.run/run.yaml`, from which the database can be rebuilt; it is JSON, which YAML contains.
 * A folder that somebody has deleted is not made again, and what is in its place now is left alone.
 */
export function writeRunYaml(workspace: Workspace, id: number): void {
  const { store } = workspace
  const run = store.runs.find(id)!
  const storagePath = absolutePath(workspace, run.storagePath)
  const folder = join(storagePath, '.run')
  const launch = store.runs.launch(id)
  if (!isFolder(folder) || !holdsRun(storagePath, launch.token)) return
  // How the others ended is in their own records.
  const groups = store.runs.groupsThatFailed(id)
  const facts = { format: 1, ...run, groupCount: totalOf(run.counts), launch, groups }
  atomicWrite(join(folder, 'run.yaml'), `${JSON.stringify(facts, null, 2)}\n`)
}

/**
 * True for the folder that the run with this token has made, wherever it was moved since. What somebody has put in its
 * place, or a link there leads to, holds no record of it.
 * @param folder absolute
 */
export function holdsRun(folder: string, token: string): boolean {
  const record = join(folder, '.run/run.yaml')
  // A launch that was killed may have got no further.
  if (!existsSync(record)) return isFolder(join(folder, '.run'))
  try {
    return JSON.parse(readFileSync(record, 'utf8')).launch.token === token
  } catch {
    // It is damaged: what no link leads to is still the run's.
    return realpathSync(dirname(record)) === dirname(record)
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** The folder of a run, absolute. @throws UserError where it is gone, or something else is in its place */
export function runFolder(workspace: Workspace, run: Run): string {
  refuseForeignFolder(workspace, run)
  const folder = absolutePath(workspace, run.storagePath)
  if (existsSync(folder)) return folder
  throw new UserError(
    `the folder of run ${run.id} is gone: ${run.storagePath}`,
    `qanat rerun ${run.experiment} ${run.id}`,
  )
}

/** @throws UserError where something else is in the place of a run's folder; it may be gone */
export function refuseForeignFolder(workspace: Workspace, run: Run): void {
  const folder = absolutePath(workspace, run.storagePath)
  if (!existsSync(folder) || holdsRun(folder, workspace.store.runs.submission(run.id).token)) return
  throw new UserError(
    `the folder of run ${run.id} is not the one that it made any more: ${run.storagePath}`,
    `move it back, or launch the run again: qanat rerun ${run.experiment} ${run.id}`,
  )
}

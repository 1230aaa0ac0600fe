import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { totalOf } from '../domain/aggregate.js'
import type { Experiment } from '../domain/experiment.js'
import { infoYaml } from '../project/run-files.js'
import type { Prepared } from '../runners/types.js'
import { faultPoint } from '../system/fault-point.js'
import { atomicWrite } from '../system/files.js'
import { absolutePath, storedPath, type Workspace } from './workspace.js'

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
 * A folder that somebody has deleted is not made again.
 */
export function writeRunYaml(workspace: Workspace, id: number): void {
  const { store } = workspace
  const run = store.runs.find(id)!
  const folder = join(absolutePath(workspace, run.storagePath), '.run')
  if (!existsSync(folder)) return
  const launch = store.runs.launch(id)
  // How the others ended is in their own records.
  const groups = store.runs.groupsThatFailed(id)
  const facts = { format: 1, ...run, groupCount: totalOf(run.counts), launch, groups }
  atomicWrite(join(folder, 'run.yaml'), `${JSON.stringify(facts, null, 2)}\n`)
}

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Folder, quote } from '../../e2e/project.js'
import { crashes, type Fault, isKilled, leavesNothing, projectIn, sayCounts, settled, tellsTheTruth } from './crash.js'

sayCounts('a launch on Slurm that is killed')

const launch = ['run', '--runner', 'slurm', 'it', '-R', '--n 0 2 1']

/** A project before a Slurm that takes one array, says that it waits, and leaves it to the test to run it. */
async function projectOnSlurm(): Promise<Folder> {
  const folder = await projectIn('works')
  folder.environment.PATH = `${join(folder.path, '.qanat/bin')}:${process.env.PATH}`
  const program = (name: string, code: string) => folder.write(`.qanat/bin/${name}`, `#!/bin/sh\n${code}\n`, 0o755)
  program('sbatch', `echo x >>${join(folder.path, '.qanat/submitted')}; echo 77`)
  program('squeue', 'exit 0')
  program('sacct', 'echo "Slurm accounting storage is disabled" >&2; exit 1')
  program('scontrol', 'printf "ClusterName = fake\\nMaxArraySize = 1001\\n"')
  program('scancel', 'exit 0')
  return folder
}

/** Runs the array as Slurm would, if it was submitted. */
async function runJobs(folder: Folder): Promise<void> {
  if (!folder.has('.qanat/submitted')) return
  for (const task of [0, 1]) {
    const variables = `SLURM_ARRAY_JOB_ID=77 SLURM_ARRAY_TASK_ID=${task} SLURMD_NODENAME=n1`
    await folder.shell(`${variables} sh ${quote(join(folder.path, 'results/it/run_1/.run/slurm.sh'))} 0`)
  }
}

test.each<[Fault, string]>([
  ['launch-file:4', 'lost'],
  ['submission-begin', 'lost'],
  ['submission-end', 'finished'],
  ['handle-known', 'finished'],
  ['handle-stored', 'finished'],
  ['launch-submitted', 'finished'],
])('at %s, and also the next command once it has found the job, is %s', async (moment, status) => {
  const folder = await projectOnSlurm()
  await isKilled(folder, [moment], ...launch)
  const isKnown = moment === 'handle-stored' || moment === 'launch-submitted'
  await crashes(folder, [isKnown ? 'refresh-polled' : 'refresh-found'], 'experiment', 'status', 'it')
  await runJobs(folder)
  const runs = await settled(folder)
  expect(runs.map(run => run.status)).toEqual([status])
  tellsTheTruth(folder, runs)
  await leavesNothing(folder)
})

// Run by bench/slurm.js on a login node of the Slurm that it has started; prints what inTurn has measured, as JSON.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTurn, millisecondsOf } from './measure.js'
import { Project, temporaryFolder } from './project.js'

const count = 10_000

console.log(JSON.stringify(await { launch, refresh }[process.argv[2]]()))

/** Held back, or the jobs would take their part of the machine. */
async function launch() {
  const project = slurmProject('{--hold: true}')
  const submit = ['run', '--runner', 'slurm', 'noop', '-R', `--seed 0 ${count} 1`]
  const measured = await inTurn(
    5,
    () => afterwardsCancel(project.qanat(...submit)),
    () => afterwardsCancel(plainLaunch()),
  )
  return measured
}

function plainLaunch() {
  const started = performance.now()
  const folder = temporaryFolder()
  const text = 'x'.repeat(300)
  for (let number = 0; number < count; number++) {
    mkdirSync(join(folder, String(number)))
    writeFileSync(join(folder, String(number), 'info'), text)
  }
  execFileSync('sbatch', ['--hold', `--array=0-${count - 1}`, '--output=/dev/null', '--wrap', 'true'], {
    stdio: 'ignore',
  })
  return performance.now() - started
}

function afterwardsCancel(milliseconds) {
  execFileSync('scancel', ['--user=researcher'])
  return milliseconds
}

/** Of a run of which some groups have run, half have ended and the others wait. */
async function refresh() {
  const project = slurmProject('{}')
  project.qanat('run', '--runner', 'slurm', 'noop', '-R', `--seed 0 ${count} 1`)
  const id = execFileSync('squeue', ['--noheader', '--format=%A'], { encoding: 'utf8' }).split('\n')[0]
  await sleep(10_000)
  // Both fail for those that have ended, and do it to the others all the same.
  spawnSync('scontrol', ['hold', id])
  spawnSync('scancel', [`${id}_[0-${count / 2}]`])
  await sleep(5_000)
  return inTurn(
    7,
    () => project.qanat('experiment', 'status', 'noop', '--refresh'),
    () =>
      millisecondsOf('squeue', ['--array', `--jobs=${id}`]) +
      millisecondsOf('sacct', ['--allocations', `--jobs=${id}`]),
  )
}

/** @param template of the jobs, as YAML */
function slurmProject(template) {
  const project = new Project(['noop'])
  writeFileSync(join(project.path, '.qanat/config.yaml'), `slurm: {default: ${template}}\n`)
  project.git('commit', '--quiet', '--all', '--message', 'A template')
  return project
}

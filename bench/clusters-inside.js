// Run by bench/clusters.js on a login node of what it has started; prints what inTurn has measured, as JSON.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTurn, millisecondsOf } from './measure.js'
import { Project, temporaryFolder } from './project.js'

const count = 10_000

/** What is submitted is held back, or the jobs would take their part of the machine. */
const slurm = {
  runner: 'slurm',
  template: '{--hold: true}',
  submit: () => quietly('sbatch', '--hold', `--array=0-${count - 1}`, '--output=/dev/null', '--wrap', 'true'),
  cancel: () => quietly('scancel', '--user=researcher'),
}

const htcondor = {
  runner: 'htcondor',
  template: '{hold: true}',
  submit() {
    const file = join(temporaryFolder(), 'plain.sub')
    writeFileSync(file, `executable = /bin/true\nhold = true\nqueue ${count}\n`)
    quietly('condor_submit', file)
  },
  cancel: () => quietly('condor_rm', 'researcher'),
}

const measurements = {
  'slurm-launch': () => launch(slurm, withFolders(slurm.submit)),
  'slurm-bare': () => launch(slurm, slurm.submit),
  'slurm-refresh': refresh,
  'htcondor-launch': () => launch(htcondor, withFolders(htcondor.submit)),
  'htcondor-bare': () => launch(htcondor, htcondor.submit),
}

console.log(JSON.stringify(await measurements[process.argv[2]]()))

function launch({ runner, template, cancel }, plainLaunch) {
  const project = clusterProject(runner, template)
  const afterwardsCancel = milliseconds => {
    cancel()
    return milliseconds
  }
  return inTurn(
    5,
    () => afterwardsCancel(project.qanat('run', '--runner', runner, 'noop', '-R', `--seed 0 ${count} 1`)),
    () => afterwardsCancel(plainly(plainLaunch)),
  )
}

/** What a plain script does that gives every job its folder with its parameters. */
function withFolders(submit) {
  return () => {
    const folder = temporaryFolder()
    const text = 'x'.repeat(300)
    for (let number = 0; number < count; number++) {
      mkdirSync(join(folder, String(number)))
      writeFileSync(join(folder, String(number), 'info'), text)
    }
    submit()
  }
}

function plainly(work) {
  const started = performance.now()
  work()
  return performance.now() - started
}

function quietly(program, ...words) {
  execFileSync(program, words, { stdio: 'ignore' })
}

/** Of a run of which some groups have run, half have ended and the others wait. */
async function refresh() {
  const project = clusterProject('slurm', '{}')
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
      project.qanat('experiment', 'list') +
      millisecondsOf('squeue', ['--array', `--jobs=${id}`]) +
      millisecondsOf('sacct', ['--allocations', `--jobs=${id}`]),
  )
}

/** @param template of the jobs, as YAML */
function clusterProject(runner, template) {
  const project = new Project(['noop'])
  writeFileSync(join(project.path, '.qanat/config.yaml'), `${runner}: {default: ${template}}\n`)
  project.git('commit', '--quiet', '--all', '--message', 'A template')
  return project
}

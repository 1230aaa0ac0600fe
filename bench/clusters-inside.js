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
  'slurm-refresh': () => refresh(7, 0),
  'slurm-ended': () => refresh(5, 1_000),
  'slurm-packs': packs,
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

/** Groups of many in a job of eight slots in all, beside bare commands, and jobs that do nothing. */
function packs() {
  const groups = 2_000
  const project = clusterProject('slurm', '{pack: {groups: 100, slots: 4}}', 'poll_interval: 1', 'sleep 0.1\n')
  const line = `seq ${groups} | xargs -P8 -I{} sh -c 'sh noop.sh >{}/out 2>{}/err'
    sbatch --wait --array=0-${groups / 100 - 1} --cpus-per-task=4 --output=/dev/null --wrap true`
  return inTurn(
    5,
    () => project.qanat('run', '--runner', 'slurm', '--wait', 'noop', '-R', `--seed 0 ${groups} 1`),
    () => {
      const folder = temporaryFolder()
      for (let number = 1; number <= groups; number++) mkdirSync(join(folder, String(number)))
      writeFileSync(join(folder, 'noop.sh'), 'sleep 0.1\n')
      return millisecondsOf('sh', ['-ec', line], { cwd: folder })
    },
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

/**
 * Of a run of which some groups have run, half have ended and the others wait.
 * @param ending how many more groups are cancelled before each refresh; half have ended in the middle of the rounds
 */
async function refresh(rounds, ending) {
  // Groups that were cancelled are settled a second later, as others are when their exit code is there.
  const project = clusterProject('slurm', '{}', 'grace: 1')
  project.qanat('run', '--runner', 'slurm', 'noop', '-R', `--seed 0 ${count} 1`)
  const id = execFileSync('squeue', ['--noheader', '--format=%A'], { encoding: 'utf8' }).split('\n')[0]
  await sleep(10_000)
  // Both fail for those that have ended, and do it to the others all the same.
  spawnSync('scontrol', ['hold', id])
  let ended = (count - ending * (rounds + 1)) / 2
  spawnSync('scancel', [`${id}_[0-${ended}]`])
  await sleep(5_000)
  for (const _ of [1, 2]) {
    project.qanat('experiment', 'status', 'noop', '--refresh')
    await sleep(2_000)
  }
  return inTurn(
    rounds,
    async () => {
      if (ending > 0) {
        spawnSync('scancel', [`${id}_[${ended + 1}-${ended + ending}]`])
        ended += ending
        // Both sides find Slurm at rest.
        await sleep(2_000)
      }
      return project.qanat('experiment', 'status', 'noop', '--refresh')
    },
    () =>
      project.qanat('experiment', 'list') +
      millisecondsOf('squeue', ['--array', `--jobs=${id}`]) +
      millisecondsOf('sacct', ['--allocations', `--jobs=${id}`]),
  )
}

/** @param template of the jobs, and further configuration, as YAML @param script that each group runs */
function clusterProject(runner, template, further = '', script = 'exit 0\n') {
  const project = new Project(['noop'])
  writeFileSync(join(project.path, 'noop.sh'), script)
  writeFileSync(join(project.path, '.qanat/config.yaml'), `${runner}: {default: ${template}}\n${further}\n`)
  project.git('commit', '--quiet', '--all', '--message', 'A template')
  return project
}

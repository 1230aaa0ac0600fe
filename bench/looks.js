import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTurn, peakMemory } from './measure.js'
import { Project, program } from './project.js'

/** What a look at a live run takes that has left much behind: only what is new may count. */
export const lookRows = [
  {
    name: 'htcondor-log',
    what: 'refresh of a live HTCondor run of 100,000 groups with a log of 100 MB, nothing new',
    reference: 'of 100 groups',
    target: '≤ 1.5×',
    measure: besideShortLog,
  },
  {
    name: 'progress',
    what: 'a look at a live run whose groups write progress files of 70 MB',
    reference: 'small ones',
    target: '≤ 1.2×',
    measure: () => besideSmallFiles(project => project.qanat('experiment', 'status', 'noop')),
  },
  {
    name: 'progress-memory',
    what: '`run_wait` beside groups that write progress files of 70 MB: peak memory',
    reference: 'small ones',
    target: '+ ≤ 20 MB',
    unit: 'MB',
    measure: () => (existsSync('/proc/self/status') ? besideSmallFiles(memoryOfWait) : null),
  },
]

async function besideShortLog() {
  const projects = [condorRun(100_000), condorRun(100)]
  // What has ended is certain once the grace is over.
  for (const project of projects) refresh(project)
  await sleep(10_000)
  for (const project of projects) refresh(project)
  return inTurn(9, ...projects.map(project => () => refresh(project)))
}

function refresh(project) {
  return project.qanat('experiment', 'status', 'noop', '--refresh')
}

/** A run of which all groups but one have ended, on an HTCondor of programs that print what they are told. */
function condorRun(groups) {
  const project = new Project(['noop'])
  const programs = join(project.path, '.qanat/bin')
  mkdirSync(programs)
  const last = groups - 1
  const answers = {
    condor_submit: `echo "77.0 - 77.${last}"`,
    condor_q: `case $* in *-totals*) echo '-- Schedd: bench';; *) cat "${project.path}/.qanat/queue";; esac`,
    condor_history: 'exit 0',
    condor_rm: 'exit 0',
  }
  for (const [name, code] of Object.entries(answers)) {
    writeFileSync(join(programs, name), `#!/bin/sh\n${code}\n`, { mode: 0o755 })
  }
  project.environment.PATH = `${programs}:${process.env.PATH}`
  writeFileSync(join(project.path, '.qanat/config.yaml'), 'poll_interval: 1\ngrace: 9\nhtcondor: {default: {}}\n')
  project.git('commit', '--quiet', '--all', '--message', 'A template')
  project.qanat('run', '--runner', 'htcondor', 'noop', '-R', `--seed 0 ${groups} 1`)
  const token = spawnSync('sed', ['-n', 's/^+QanatToken = "\\(.*\\)"/\\1/p', '.run/htcondor.sub'], {
    cwd: join(project.path, 'results/noop/run_1'),
    encoding: 'utf8',
  }).stdout.trim()
  const job = { ClusterId: 77, ProcId: last, JobStatus: 1, QanatToken: token }
  writeFileSync(join(project.path, '.qanat/queue'), JSON.stringify([job]))
  writeLog(join(project.path, 'results/noop/run_1/.run/htcondor.log'), last)
  return project
}

/** The events of jobs that have ended, about a kilobyte each, as HTCondor writes them. */
function writeLog(file, jobs) {
  const usage = `\t${'Partitionable Resources :    Usage  Request Allocated'.padEnd(90)}\n`.repeat(7)
  for (let job = 0; job < jobs; ) {
    let text = ''
    for (const end = Math.min(jobs, job + 10_000); job < end; job++) {
      const event = (code, words) => `${code} (77.${job}.000) 2026-11-20 10:00:00 ${words}\n...\n`
      text += event('000', 'Job submitted from host: <127.0.0.1:9618?addrs=127.0.0.1-9618&alias=bench>')
      text += event('001', 'Job executing on host: <127.0.0.1:9618?addrs=127.0.0.1-9618&alias=n1>')
      text += event('005', `Job terminated.\n\t(1) Normal termination (return value 0)\n${usage}`)
    }
    appendFileSync(file, text)
  }
}

/** @param measure of a project with a live run */
async function besideSmallFiles(measure) {
  const projects = [await liveRun(70_000_000), await liveRun(100)]
  try {
    return await inTurn(9, ...projects.map(project => () => measure(project)))
  } finally {
    for (const project of projects) project.qanat('run_cancel', 'noop', '1')
  }
}

/** Four groups that live, each with a progress file of that many bytes. */
async function liveRun(bytes) {
  const project = new Project(['noop'])
  const script = 'while [ "$1" != --storage_path ]; do shift; done; touch "$2/begun"; sleep 600\n'
  writeFileSync(join(project.path, 'noop.sh'), script)
  project.git('commit', '--quiet', '--all', '--message', 'A script that lasts')
  project.qanat('run', '--detach', 'noop', '-R', '--seed 0 4 1', '--n_threads', '4')
  const bar = ' 34%|███▍      | 17/50 [00:17<00:33,  1.00s/it]\r'
  for (let group = 0; group < 4; group++) {
    const folder = join(project.path, `results/noop/run_1/group_${group}`)
    while (!existsSync(join(folder, 'begun'))) await sleep(20)
    writeFileSync(join(folder, 'progress.txt'), `tqdm\n${bar.repeat(Math.ceil(bytes / Buffer.byteLength(bar)))}`)
  }
  return project
}

/** Peak memory in MB of a command that waits for five seconds. */
async function memoryOfWait(project) {
  const options = { cwd: project.path, env: project.environment, stdio: 'ignore' }
  const waiting = spawn(process.execPath, [program, 'run_wait', 'noop', '1'], options)
  const end = Date.now() + 5_000
  const peak = await peakMemory(waiting.pid, () => Date.now() > end)
  waiting.kill('SIGINT')
  return peak
}

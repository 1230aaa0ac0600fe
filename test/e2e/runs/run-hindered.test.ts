import { renameSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { FakeSlurm } from '../launch/fake-slurm.js'
import { awaits, type Folder, open, shellProject, until } from '../project.js'

/** Milliseconds: a command gives up a database after ten seconds. */
const longerThanPatience = 12_000

/** Locks the database as another program may. @returns a function that unlocks it */
function lock({ path }: Folder): () => void {
  const database = new Database(`${path}/.qanat/database.db`)
  database.exec('BEGIN EXCLUSIVE')
  return () => void database.exec('ROLLBACK').close()
}

test('runs whose folders cannot be read are shown as they were, and hide no other run', async () => {
  const slurm = await FakeSlurm.launched('exit 3')
  const { folder } = slurm
  await slurm.launch('exit 0')
  for (const gate of ['first', 'second']) await folder.qanat('run', '--detach', 'it', awaits(gate))
  for (const run of [1, 2]) slurm.queue('RUNNING', { job: 76 + run, run })
  for (const run of [1, 2, 3, 4]) await folder.whenStatus(run, 'running')
  await slurm.runJob()
  await slurm.runJob({ job: 78 })
  const records = [1, 3].map(run => `${folder.path}/results/it/run_${run}/.run/records`)
  for (const path of records) {
    renameSync(path, `${path}-aside`)
    folder.write(path.slice(folder.path.length), 'no folder')
  }
  for (const gate of ['first', 'second']) open(folder, gate)
  await folder.whenStatus(4, 'finished')
  for (const words of [['runs'], ['experiment', 'status', 'it']]) {
    const { code, stdout, stderr } = await folder.qanat(...words, '--json', '--sort', 'id')
    const warning = 'could not be refreshed, and is shown as it was before'
    expect([code, stderr]).toEqual([0, expect.stringMatching(new RegExp(`run 1 ${warning}.*run 3 ${warning}`, 's'))])
    const states = JSON.parse(stdout).runs.map(({ status }: { status: string }) => status)
    expect(states).toEqual(['running', 'finished', 'running', 'finished'])
  }
  for (const path of records) {
    renameSync(path, `${path}-spoilt`)
    renameSync(`${path}-aside`, path)
  }
  expect(await slurm.group()).toMatchObject({ status: 'failed', exit_code: 3 })
  await folder.whenStatus(3, 'finished')
})

test('waiting for a run goes on when another program keeps the database locked for too long', async () => {
  const slurm = await FakeSlurm.launched('exit 0')
  const { folder } = slurm
  await slurm.runJob()
  slurm.queue('COMPLETED')
  // The one who waits has asked Slurm and is about to store the answer.
  const [asked, answered] = ['asked', 'answered'].map(name => `${folder.path}/.qanat/${name}`)
  const answer = `until [ -e ${answered} ]; do sleep 0.02; done; cat ${slurm.file('queue')}`
  slurm.program('squeue', `touch ${asked}; ${answer}`)
  const waiting = folder.qanat('run_wait', 'it', '1')
  await until(() => folder.has('.qanat/asked'))
  const unlock = lock(folder)
  folder.write('.qanat/answered', '')
  await sleep(longerThanPatience)
  unlock()
  expect(await waiting).toMatchObject({ code: 0, stdout: expect.stringContaining('1 finished') })
})

test('a cancel after Ctrl-C that fails is reported, and can be repeated', async () => {
  const folder = await shellProject()
  const child = folder.start(['run', 'it', `echo begun; ${awaits('never')}`])
  let shown = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', chunk => (shown += chunk))
  await until(() => shown.includes('begun'))
  const unlock = lock(folder)
  child.kill('SIGINT')
  await until(() => shown.includes('run 1 could not be cancelled: '))
  expect(shown).toContain('in use by another command')
  unlock()
  child.kill('SIGINT')
  await until(() => child.exitCode !== null)
  expect(child.exitCode).toBe(130)
  expect((await folder.show()).status).toBe('cancelled')
})

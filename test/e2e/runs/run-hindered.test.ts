import { spawnSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { skips } from '../../skips.js'
import { expectError } from '../expectations.js'
import { FakeSlurm } from '../launch/fake-slurm.js'
import { outcomeOf } from '../program.js'
import { awaits, type Folder, groups, open, program, shellProject, until } from '../project.js'

/** Milliseconds: a command gives up a database after ten seconds. */
const longerThanPatience = 12_000
const records = 'results/it/run_1/.run/records'

/** Makes the records of run 1 something that nobody can list. */
function spoil(folder: Folder): void {
  renameSync(`${folder.path}/${records}`, `${folder.path}/${records}-aside`)
  folder.write(records, 'no folder')
}

function mend(folder: Folder): void {
  renameSync(`${folder.path}/${records}`, `${folder.path}/${records}-spoilt`)
  renameSync(`${folder.path}/${records}-aside`, `${folder.path}/${records}`)
}

/** The states of the runs, as every list has them, which must warn of run 1. */
async function listed(folder: Folder): Promise<Record<number, string>[]> {
  const lists: Record<number, string>[] = []
  for (const words of [['runs'], ['experiment', 'status', 'it']]) {
    const { code, stdout, stderr } = await folder.qanat(...words, '--json')
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('run 1 could not be refreshed, and is shown as it was before'),
    ])
    const { runs } = JSON.parse(stdout) as { runs: { id: number; status: string }[] }
    lists.push(Object.fromEntries(runs.map(({ id, status }) => [id, status])))
  }
  return lists
}

describe('a run whose folder cannot be read', () => {
  test('is shown as it was, and hides no other run of this machine', async () => {
    const folder = await shellProject()
    await folder.qanat('run', '--detach', 'it', awaits('first'))
    await folder.qanat('run', '--detach', 'it', awaits('second'))
    for (const id of [1, 2]) await until(async () => (await folder.show(id)).status === 'running')
    spoil(folder)
    open(folder, 'second')
    await until(async () => (await folder.show(2)).status === 'finished')
    for (const states of await listed(folder)) expect(states).toEqual({ 1: 'running', 2: 'finished' })
    mend(folder)
    open(folder, 'first')
    await until(async () => (await folder.show(1)).status === 'finished')
  })

  test('is shown as it was, and hides no other run of a scheduler', async () => {
    const slurm = await FakeSlurm.start()
    await slurm.launch('exit 3')
    await slurm.launch('exit 0')
    for (const run of [1, 2]) slurm.queue('RUNNING', { job: 76 + run, run })
    for (const run of [1, 2]) expect((await slurm.group(0, run)).status).toBe('running')
    await slurm.runJob()
    await slurm.runJob({ job: 78 })
    spoil(slurm.folder)
    for (const states of await listed(slurm.folder)) expect(states).toEqual({ 1: 'running', 2: 'finished' })
    mend(slurm.folder)
    expect(await slurm.group()).toMatchObject({ status: 'failed', exit_code: 3 })
  })
})

test('waiting for a run goes on when another program keeps the database locked for too long', async () => {
  const slurm = await FakeSlurm.start()
  const { folder } = slurm
  await slurm.launch('exit 0')
  await slurm.runJob()
  slurm.queue('COMPLETED')
  // The one who waits has asked Slurm and is about to store the answer.
  const [asked, answered] = ['asked', 'answered'].map(name => `${folder.path}/.qanat/${name}`)
  slurm.program(
    'squeue',
    `touch ${asked}; until [ -e ${answered} ]; do sleep 0.02; done; cat ${folder.path}/.qanat/slurm_queue`,
  )
  const waiting = folder.qanat('run_wait', 'it', '1')
  await until(() => folder.has('.qanat/asked'))
  const database = new Database(`${folder.path}/.qanat/database.db`)
  database.exec('BEGIN EXCLUSIVE')
  folder.write('.qanat/answered', '')
  await sleep(longerThanPatience)
  database.exec('ROLLBACK')
  database.close()
  expect(await waiting).toMatchObject({ code: 0, stdout: expect.stringContaining('1 finished') })
})

test('a cancel after Ctrl-C that fails is reported, and can be repeated', async () => {
  const folder = await shellProject()
  const child = folder.start(['run', 'it', `echo begun; ${awaits('never')}`])
  let said = ''
  let shown = ''
  child.stderr!.on('data', chunk => (said += chunk))
  child.stdout!.on('data', chunk => (shown += chunk))
  await until(() => shown.includes('begun'))
  const database = new Database(`${folder.path}/.qanat/database.db`)
  database.exec('BEGIN EXCLUSIVE')
  child.kill('SIGINT')
  await until(() => said.includes('run 1 could not be cancelled: '))
  expect(said).toContain('in use by another command')
  database.exec('ROLLBACK')
  database.close()
  child.kill('SIGINT')
  await until(() => child.exitCode !== null)
  expect(child.exitCode).toBe(130)
  expect((await folder.show()).status).toBe('cancelled')
})

test('a command that follows a run ends with an error that names the database if that is gone', async () => {
  const folder = await shellProject()
  const child = folder.start(['run', 'it', `echo begun; ${awaits('end')}`])
  const ended = outcomeOf(child)
  let shown = ''
  child.stdout!.on('data', chunk => (shown += chunk))
  await until(() => shown.includes('begun'))
  renameSync(`${folder.path}/.qanat/database.db`, `${folder.path}/gone`)
  open(folder, 'end')
  expectError({ ...(await ended), stdout: '' }, 1, '.qanat/database.db was moved or deleted meanwhile')
})

/** Shell words before a command: in namespaces of its own it knows neither the name nor the processes of this host. */
const elsewhere = `unshare --uts --pid --fork --mount-proc sh -c 'echo elsewhere >/proc/sys/kernel/hostname; exec "$@"' sh`
const canRename = spawnSync('sh', ['-c', `${elsewhere} true`]).status === 0
const isBound = skips('a run of another host', canRename ? null : 'a host cannot be renamed here')

test.skipIf(isBound)('run_retry leaves a run alone that lives on another host, until it has ended', async () => {
  const folder = await shellProject()
  const retryElsewhere = () => folder.shell(`${elsewhere} "${process.execPath}" "${program}" run_retry it 1`)
  await folder.qanat('run', '--detach', '--n_threads', '2', 'it', ...groups(awaits('end'), 'exit 3'))
  await folder.when(1, run => run.groups.failed === 1)
  expectError(await retryElsewhere(), 1, 'groups of run 1 live on ', 'retry it there')
  expect(await folder.states()).toEqual(['running', 'failed exit 3'])
  open(folder, 'end')
  await folder.whenStatus(1, 'failed')
  expect((await retryElsewhere()).code).toBe(1)
  expect(await folder.states()).toEqual(['finished', 'failed exit 3 attempt 2'])
})

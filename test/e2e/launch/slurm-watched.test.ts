import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { until } from '../project.js'
import { FakeSlurm } from './fake-slurm.js'

describe('a group of which Slurm has said the same again and again', () => {
  /** A running group that was looked at so often that its judgement is kept. */
  async function watched(...codes: string[]): Promise<FakeSlurm> {
    const slurm = await FakeSlurm.launched(...codes)
    slurm.queue('RUNNING')
    for (let look = 0; look < 4; look++) expect((await slurm.group()).status).toBe('running')
    const database = new Database(join(slurm.folder.path, '.qanat/database.db'), { readonly: true })
    expect(database.prepare('SELECT cursor FROM refreshes').pluck().get()).toContain('"judged"')
    database.close()
    return slurm
  }

  test('is asked for by squeue alone, until that says something else', async () => {
    const slurm = await watched('exit 0')
    const asked = slurm.countAsked()
    expect((await slurm.group()).status).toBe('running')
    expect(asked()).toEqual(['squeue'])
    expect((await slurm.says('RUNNING', { restarts: 1 })).status).toBe('running')
    expect(asked()).toEqual(['squeue', 'scontrol'])
    slurm.forget()
    expect((await slurm.group()).status).toBe('running')
    expect(asked().toSorted()).toEqual(['sacct', 'scontrol', 'squeue'])
  })

  test('is asked for by squeue alone beside a run that has just ended, and of a Slurm that does not answer', async () => {
    const slurm = await watched('exit 0')
    await slurm.launch('exit 0')
    await slurm.runJob({ job: 78 })
    slurm.queue('COMPLETED', { job: 78, run: 2 })
    await slurm.folder.whenStatus(2, 'finished')
    slurm.forget({ job: 78 })
    for (let look = 0; look < 3; look++) expect((await slurm.group()).status).toBe('running')
    const asked = slurm.countAsked()
    expect((await slurm.group()).status).toBe('running')
    expect(asked()).toEqual(['squeue'])
    slurm.queue('RUNNING', { job: 78, run: 2, restarts: 1 })
    expect((await slurm.group(0, 2)).status).toBe('running')
    expect(asked()).toContain('scontrol')
    slurm.program('squeue', `echo squeue >>${join(slurm.folder.path, '.qanat/slurm_asked')}; exit 1`)
    expect((await slurm.group()).status).toBe('running')
    expect(asked()).toEqual(['squeue'])
  })

  test('stays what it is if its site writes comments with letters of several bytes', async () => {
    const slurm = await FakeSlurm.start()
    await slurm.folder.qanat('config', 'set', 'grace', '0.001')
    await slurm.launch('exit 0')
    for (const comment of ['projet été', 'für die Ä'.repeat(9)]) {
      slurm.queue('RUNNING', { comment })
      for (let look = 0; look < 3; look++) expect((await slurm.group()).status).toBe('running')
    }
  })

  test('has finished once its journal says so', async () => {
    const slurm = await watched('exit 0')
    await slurm.runJob()
    expect((await slurm.group()).status).toBe('finished')
  })

  test('is cancelled once it was', async () => {
    const slurm = await watched('sleep 60')
    expect((await slurm.folder.qanat('run_cancel', '1')).code).toBe(0)
    slurm.forget()
    slurm.queue('RUNNING', { task: 5 })
    await slurm.folder.qanat('config', 'set', 'grace', '0.01')
    await slurm.folder.whenStatus(1, 'cancelled')
  })

  test('is lost after the grace if Slurm has forgotten it', async () => {
    const slurm = await watched('exit 0')
    slurm.forget()
    await slurm.folder.qanat('config', 'set', 'grace', '2')
    await slurm.folder.whenStatus(1, 'lost')
  })

  test('is not what an answer says that was asked for before it was launched again', async () => {
    const slurm = await watched('exit 3', 'exit 0')
    slurm.queue('RUNNING', { task: 1 })
    slurm.queue('FAILED', { exit: '3:0' })
    for (let look = 0; look < 4; look++) expect((await slurm.group()).status).toBe('failed')
    const said = slurm.folder.read('.qanat/slurm_queue')
    slurm.queue('NODE_FAIL')
    slurm.folder.write('.qanat/later', slurm.folder.read('.qanat/slurm_queue'))
    slurm.answer('queue', said)
    // The first squeue from now on waits, and tells later what it has seen now.
    slurm.program(
      'squeue',
      `cd ${join(slurm.folder.path, '.qanat')}
if mv gate passed 2>/dev/null; then until [ -e open ]; do sleep 0.02; done; cat later; else cat slurm_queue; fi`,
    )
    slurm.folder.write('.qanat/gate', '')
    const looking = slurm.folder.qanat('experiment', 'status', 'it', '--refresh')
    await until(() => slurm.folder.has('.qanat/passed'))
    const { code, stderr } = await slurm.folder.qanat('run_retry', '1')
    expect([code, stderr]).toEqual([0, ''])
    slurm.folder.write('.qanat/open', '')
    expect((await looking).code).toBe(0)
    expect(await slurm.group()).toMatchObject({ status: 'pending', attempt: 2 })
  })

  test('is launched again', async () => {
    const slurm = await watched('exit 3', 'exit 0')
    await slurm.runJob({ task: 0 })
    await slurm.runJob({ task: 1 })
    slurm.queue('FAILED', { task: 0, exit: '3:0' })
    slurm.queue('COMPLETED', { task: 1 })
    for (let look = 0; look < 3; look++) expect((await slurm.group()).status).toBe('failed')
    expect((await slurm.folder.qanat('run_retry', '1')).code).toBe(0)
    for (let look = 0; look < 3; look++) expect((await slurm.group()).status).toBe('pending')
    slurm.queue('RUNNING', { job: 78 })
    for (let look = 0; look < 3; look++) expect((await slurm.group()).status).toBe('running')
    await slurm.runJob({ job: 78 })
    expect(await slurm.says('COMPLETED', { job: 78 })).toMatchObject({ status: 'failed', exit_code: 3, attempt: 2 })
  })
})

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
    await slurm.stays('running')
    const database = new Database(join(slurm.folder.path, '.qanat/database.db'), { readonly: true })
    expect(database.prepare('SELECT cursor FROM refreshes').pluck().get()).toContain('"judged"')
    database.close()
    return slurm
  }

  /** From now on notes which programs are asked. @returns a function that tells those since it was last called */
  function countAsked(slurm: FakeSlurm): () => string[] {
    for (const name of ['squeue', 'sacct', 'scontrol']) slurm.before(name, `echo ${name} >>${slurm.file('asked')}`)
    return () => {
      const programs = slurm.told('asked').sort()
      slurm.folder.write('.qanat/slurm_asked', '')
      return programs
    }
  }

  test('is asked for by squeue alone, until that says something else', async () => {
    const slurm = await watched('exit 0')
    const asked = countAsked(slurm)
    expect((await slurm.group()).status).toBe('running')
    expect(asked()).toEqual(['squeue'])
    expect((await slurm.says('RUNNING', { restarts: 1 })).status).toBe('running')
    expect(asked()).toEqual(['scontrol', 'squeue'])
    slurm.forget()
    expect((await slurm.group()).status).toBe('running')
    expect(asked()).toEqual(['sacct', 'scontrol', 'squeue'])
  })

  test('is asked for by squeue alone beside a run that has just ended, and of a Slurm that does not answer', async () => {
    const slurm = await watched('exit 0')
    await slurm.launch('exit 0')
    await slurm.runJob({ job: 78 })
    slurm.queue('COMPLETED', { job: 78, run: 2 })
    await slurm.folder.whenStatus(2, 'finished')
    slurm.forget({ job: 78 })
    await slurm.stays('running')
    const asked = countAsked(slurm)
    await slurm.stays('running')
    expect(asked()).toEqual(Array(4).fill('squeue'))
    slurm.program('squeue', `echo squeue >>${slurm.file('asked')}; exit 1`)
    await slurm.stays('running')
    expect(asked()).toEqual(Array(4).fill('squeue'))
  })

  test('stays what it is if its site writes comments with letters of several bytes', async () => {
    const slurm = await FakeSlurm.start()
    await slurm.qanat('config set grace 0.001')
    await slurm.launch('exit 0')
    for (const comment of ['projet été', 'für die Ä'.repeat(9)]) {
      slurm.queue('RUNNING', { comment })
      await slurm.stays('running')
    }
  })

  test('has finished once its journal says so', async () => {
    const slurm = await watched('exit 0')
    await slurm.runJob()
    expect((await slurm.group()).status).toBe('finished')
  })

  test('is cancelled once it was', async () => {
    const slurm = await watched('sleep 60')
    expect((await slurm.qanat('run_cancel 1')).code).toBe(0)
    slurm.forget()
    slurm.queue('RUNNING', { task: 5 })
    await slurm.qanat('config set grace 0.01')
    await slurm.folder.whenStatus(1, 'cancelled')
  })

  test('is lost after the grace if Slurm has forgotten it', async () => {
    const slurm = await watched('exit 0')
    slurm.forget()
    await slurm.qanat('config set grace 2')
    await slurm.folder.whenStatus(1, 'lost')
  })

  test('is not what an answer says that was asked for before it was launched again', async () => {
    const slurm = await watched('exit 3', 'exit 0')
    slurm.queue('RUNNING', { task: 1 })
    slurm.queue('FAILED', { exit: '3:0' })
    await slurm.stays('failed')
    // The first squeue from now on waits, and tells later what it would have seen now.
    const said = slurm.folder.read('.qanat/slurm_queue')
    slurm.queue('NODE_FAIL')
    slurm.folder.write('.qanat/slurm_later', slurm.folder.read('.qanat/slurm_queue'))
    slurm.answer('queue', said)
    slurm.before(
      'squeue',
      `cd ${join(slurm.folder.path, '.qanat')}
if mv gate passed 2>/dev/null; then until [ -e open ]; do sleep 0.02; done; exec cat slurm_later; fi`,
    )
    slurm.folder.write('.qanat/gate', '')
    const looking = slurm.qanat('experiment status it --refresh')
    await until(() => slurm.folder.has('.qanat/passed'))
    expect(await slurm.qanat('run_retry 1')).toMatchObject({ code: 0, stderr: '' })
    slurm.folder.write('.qanat/open', '')
    expect((await looking).code).toBe(0)
    expect(await slurm.group()).toMatchObject({ status: 'pending', attempt: 2 })
  })

  test('is launched again', async () => {
    const slurm = await watched('exit 3', 'exit 0')
    await slurm.end([3, 0])
    await slurm.stays('failed')
    expect((await slurm.qanat('run_retry 1')).code).toBe(0)
    await slurm.stays('pending')
    slurm.queue('RUNNING', { job: 78 })
    await slurm.stays('running')
    await slurm.runJob({ job: 78 })
    expect(await slurm.says('COMPLETED', { job: 78 })).toMatchObject({ status: 'failed', exit_code: 3, attempt: 2 })
  })
})

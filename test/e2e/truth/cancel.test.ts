import { join } from 'node:path'
import { expect, test } from 'vitest'
import { holdStarts } from '../../../src/runfolder/evidence/keeper-file.js'
import { FakeSlurm } from '../launch/fake-slurm.js'
import { end, parentOf, processCalled, tells } from '../processes.js'
import { awaits, groups, open, shellProject, until } from '../project.js'

test('groups that a dead pool has not begun are cancelled together with the retry of another one', async () => {
  const project = await shellProject()
  const again = `[ ! -e "$QANAT_PROJECT/.qanat/again" ] || { touch "$QANAT_STORAGE_PATH/again"; ${awaits('never')}; }`
  const codes = groups(`${tells('first')}; ${awaits('end')}; ${again}; exit 3`, 'true')
  await project.qanat('run', '--detach', 'it', ...codes)
  const worker = parentOf(await processCalled(project, 'first'))
  const letStart = holdStarts(join(project.path, 'results/it/run_1'))
  open(project, 'end')
  await until(async () => (await project.states())[0] === 'failed exit 3')
  for (const process of [parentOf(worker), worker]) await end(process)
  letStart()
  await project.qanat('run_wait', 'it', '1')
  expect(await project.states()).toEqual(['failed exit 3', 'pending'])
  project.write('.qanat/again', '')
  expect((await project.qanat('run_retry', '--detach', 'it', '1', '--only', 'exit')).stderr).toBe('')
  await until(() => project.has('results/it/run_1/group_0/again'))
  expect((await project.qanat('run_cancel', 'it', '1')).code).toBe(0)
  for (let look = 0; look < 3; look++) {
    expect(await project.states()).toEqual(['cancelled attempt 2', 'cancelled'])
  }
})

/** Its job is told to end while it runs, as at a shutdown of its node. */
const shutDown = 'kill -TERM "$PPID"; sleep 60'

test('a cancel that Slurm refuses does not count: a job that ends later has failed', async () => {
  const slurm = await FakeSlurm.launched(shutDown)
  slurm.queue('RUNNING')
  slurm.program('scancel', 'echo "slurmctld is down" >&2; exit 1')
  expect((await slurm.folder.qanat('run_cancel', 'it', '1')).code).toBe(4)
  expect((await slurm.group()).status).toBe('running')
  await slurm.runJob()
  slurm.queue('FAILED', { exit: '143:0' })
  expect(await slurm.folder.states()).toEqual([expect.stringMatching(/^failed (signal|exit)/)])
})

test('a cancel counts if scancel accepts it', async () => {
  const slurm = await FakeSlurm.launched(shutDown)
  slurm.queue('RUNNING')
  slurm.program('scancel', `touch ${slurm.folder.path}/.qanat/called`)
  const cancelling = slurm.folder.qanat('run_cancel', 'it', '1')
  await until(() => slurm.folder.has('.qanat/called'))
  await slurm.runJob()
  slurm.queue('CANCELLED', { exit: '0:15' })
  expect((await cancelling).code).toBe(0)
  expect(await slurm.folder.states()).toEqual(['cancelled'])
})

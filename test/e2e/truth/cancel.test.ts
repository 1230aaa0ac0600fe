import { expect, test } from 'vitest'
import { FakeSlurm } from '../launch/fake-slurm.js'
import { kill, lives, parentOf, processCalled, tells } from '../processes.js'
import { awaits, groups, open, shellProject, until } from '../project.js'

const told = ({ status, cause }: any) => (cause === null ? status : `${status} ${cause}`)

test('a group that was lost in an earlier attempt stays lost when the retry of another one is cancelled', async () => {
  const project = await shellProject()
  const again = `[ ! -e "$QANAT_PROJECT/.qanat/again" ] || { touch "$QANAT_STORAGE_PATH/again"; ${awaits('never')}; }`
  await project.qanat(
    'run',
    '--detach',
    'it',
    ...groups(`${tells('first')}; ${awaits('end')}; ${again}; exit 3`, 'true'),
  )
  const supervisor = parentOf(parentOf(await processCalled(project, 'first')))
  kill(supervisor)
  await until(() => !lives(supervisor))
  open(project, 'end')
  await project.qanat('run_wait', 'it', '1')
  expect((await project.show()).group_list.map(told)).toEqual(['failed exit', 'lost never_started'])
  project.write('.qanat/again', '')
  expect((await project.qanat('run_retry', '--detach', 'it', '1', '--only', 'exit')).stderr).toBe('')
  await until(() => project.has('results/it/run_1/group_0/again'))
  expect((await project.qanat('run_cancel', 'it', '1')).code).toBe(0)
  for (let look = 0; look < 3; look++) {
    expect((await project.show()).group_list.map(told)).toEqual(['cancelled', 'lost never_started'])
  }
})

/** Its job is told to end while it runs, as at a shutdown of its node. */
const shutDown = 'kill -TERM "$PPID"; sleep 60'

test.each([
  ['refuses', 'echo "slurmctld is down" >&2; exit 1'],
  ['is missing', 'exit 127'],
])('a cancel does not count if scancel %s: a job that ends later has failed, or is lost', async (_, code) => {
  const slurm = await FakeSlurm.start()
  await slurm.launch(shutDown)
  slurm.queue('RUNNING')
  slurm.program('scancel', code)
  expect((await slurm.folder.qanat('run_cancel', 'it', '1')).code).toBe(4)
  expect((await slurm.group()).status).toBe('running')
  await slurm.runJob()
  slurm.queue('FAILED', { exit: '143:0' })
  expect(told(await slurm.group())).toMatch(/^failed (signal|exit)$/)
})

test('a cancel counts if scancel accepts it', async () => {
  const slurm = await FakeSlurm.start()
  await slurm.launch(shutDown)
  slurm.queue('RUNNING')
  slurm.program('scancel', `touch ${slurm.folder.path}/.qanat/called`)
  const cancelling = slurm.folder.qanat('run_cancel', 'it', '1')
  await until(() => slurm.folder.has('.qanat/called'))
  await slurm.runJob()
  slurm.queue('CANCELLED', { exit: '0:15' })
  expect((await cancelling).code).toBe(0)
  expect(told(await slurm.group())).toBe('cancelled')
})

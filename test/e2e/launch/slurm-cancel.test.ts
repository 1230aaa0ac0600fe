import { expect, test } from 'vitest'
import { FakeSlurm } from './fake-slurm.js'

test('a run is cancelled whatever filters of scancel are in the environment', async () => {
  const slurm = await FakeSlurm.launched('exit 0')
  slurm.queue('RUNNING')
  slurm.program('scancel', `[ -n "\${SCANCEL_STATE-}" ] || printf '%s\\n' "$@" >>${slurm.file('cancelled')}`)
  Object.assign(slurm.folder.environment, { SCANCEL_STATE: 'PENDING' })
  expect((await slurm.qanat('run_cancel 1')).code).toBe(0)
  expect(slurm.cancelled()).toEqual(['77'])
})

test('a cancel does not poll a Slurm again that no longer answers, and says that the groups may still be live', async () => {
  const slurm = await FakeSlurm.launched('true', 'true')
  for (const task of [0, 1]) slurm.queue('PENDING', { task })
  slurm.before('scancel', `touch ${slurm.file('down')}`)
  slurm.before('squeue', `[ ! -e ${slurm.file('down')} ] || { echo x >>${slurm.file('down')}; exit 1; }`)
  const { code, stdout, stderr } = await slurm.qanat('run_cancel it 1')
  expect([code, slurm.cancelled()]).toEqual([0, ['77']])
  expect(stdout).toBe('Run 1 was cancelled; 2 groups are not known to have ended yet\n  qanat run_wait 1\n')
  expect(stderr.match(/slurm did not answer/g)).toHaveLength(1)
  expect(slurm.folder.read('.qanat/slurm_down')).toBe('x\n')
})

/** A run with two tasks, of which somebody cancels the second one while it is pending: Slurm forgets it at once. */
async function withCancelledTask(): Promise<FakeSlurm> {
  const slurm = await FakeSlurm.launched('true', 'true')
  for (const task of [0, 1]) slurm.queue('PENDING', { task })
  expect((await slurm.folder.show()).groups).toMatchObject({ pending: 2 })
  slurm.forget({ task: 1 })
  return slurm
}

test('a pending task that somebody cancels is cancelled, the others of its array wait on, and a late record counts', async () => {
  const slurm = await withCancelledTask()
  expect((await slurm.folder.show()).groups).toMatchObject({ pending: 1, cancelled: 1 })
  await slurm.end([0])
  expect((await slurm.folder.show()).groups).toMatchObject({ finished: 1, cancelled: 1 })
  await slurm.runJob({ task: 1 })
  expect((await slurm.group(1)).status).toBe('finished')
})

test('a pending task that is gone waits for the grace if Slurm was polled too late to have seen its end', async () => {
  const slurm = await withCancelledTask()
  slurm.answer('config', 'ClusterName = fake\nMinJobAge = 5 sec\n')
  expect((await slurm.group(1)).status).toBe('pending')
  slurm.answer('sacct', 'echo "77_0|it_1|PENDING|0:0|2036-03-01T10:00:00|None|None|0|None|n1|0|00:00:00|||"\n')
  expect((await slurm.group(1)).status).toBe('cancelled')
})

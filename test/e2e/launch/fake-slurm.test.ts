import { expect, test } from 'vitest'
import { until } from '../project.js'
import { FakeSlurm } from './fake-slurm.js'

test('out of memory beats the exit code 0 of the script', async () => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('exit 0')
  slurm.queue('RUNNING')
  await slurm.runJob()
  expect(await slurm.group()).toMatchObject({ status: 'finished', exit_code: 0 })
  slurm.queue('OUT_OF_MEMORY')
  expect(await slurm.group()).toMatchObject({ status: 'failed', cause: 'oom', exit_code: 0 })
})

test.each([
  ['NODE_FAIL', 'node_fail'],
  ['BOOT_FAIL', 'node_fail'],
  ['DEADLINE', 'deadline'],
  ['TIMEOUT', 'timeout'],
  ['PREEMPTED', 'preempted'],
  ['LAUNCH_FAILED', 'launch'],
])('%s is a failure by the cause %s', async (state, cause) => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('exit 0')
  slurm.queue(state)
  expect(await slurm.group()).toMatchObject({ status: 'failed', cause })
})

test('a state that nobody knows keeps the last one', async () => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('exit 0')
  slurm.queue('RUNNING')
  expect((await slurm.group()).status).toBe('running')
  slurm.queue('QUANTUM_LEAP')
  expect((await slurm.group()).status).toBe('running')
})

test('a job of somebody else that has got the same id says nothing', async () => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('exit 0')
  slurm.queue('FAILED', { comment: '00000000-0000-4000-8000-000000000000', exit: '9:0' })
  expect((await slurm.group()).status).toBe('pending')
})

test('a job of another cluster is neither asked for nor lost', async () => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('exit 0')
  slurm.queue('RUNNING')
  await slurm.group()
  slurm.answer('config', 'ClusterName = other\nMaxArraySize = 1001\n')
  slurm.queue('FAILED')
  const { as_of } = await slurm.folder.json('experiment', 'status', 'it', '--json', '--refresh')
  await slurm.folder.qanat('config', 'set', 'grace', '0.5')
  // A job of this cluster that nobody finds is lost after the grace, in which the other one was not found either.
  await slurm.launch('exit 0')
  const later = await until(
    () => slurm.folder.json('experiment', 'status', 'it', '--json', '--refresh'),
    ({ runs }) => runs.some(({ status }: { status: string }) => status === 'lost'),
  )
  expect(later.runs).toMatchObject([
    { id: 1, status: 'running' },
    { id: 2, status: 'lost' },
  ])
  expect(later.as_of).toBe(as_of)
})

test.each([
  ['prints rubbish', 'echo "Segmentation fault (core dumped)"'],
  ['fails', 'echo "Connection refused" >&2; exit 1'],
  ['hangs', 'exec sleep 60'],
])('an sacct that %s changes nothing about a job that has left the queue', async (_, code) => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('exit 0')
  slurm.queue('RUNNING')
  expect((await slurm.group()).status).toBe('running')
  slurm.answer('queue', '')
  slurm.answer('sacct', `${code}\n`)
  expect((await slurm.group()).status).toBe('running')
  slurm.answer(
    'sacct',
    'echo "77_0|it_1|CANCELLED by 1001|0:0|2036-03-01T10:00:00|None|2036-03-02T10:00:00|0|None|n1"\n',
  )
  await slurm.folder.whenStatus(1, 'cancelled')
})

test('a job that was requeued by hand after its end is pending, also while Slurm is silent, and its next end counts', async () => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('[ -e "$QANAT_PROJECT/.qanat/again" ] || { touch "$QANAT_PROJECT/.qanat/again"; exit 3; }')
  await slurm.runJob()
  slurm.queue('RUNNING')
  expect(await slurm.group()).toMatchObject({ status: 'failed', exit_code: 3 })
  slurm.queue('PENDING', { restarts: 1, reason: 'BeginTime' })
  expect((await slurm.group()).status).toBe('pending')
  slurm.answer('config', 'no answer')
  expect((await slurm.group()).status).toBe('pending')
  slurm.answer('config', 'ClusterName = fake\n')
  await slurm.runJob({ restarts: 1 })
  slurm.queue('COMPLETED', { restarts: 1 })
  expect(await slurm.group()).toMatchObject({ status: 'finished', exit_code: 0 })
})

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../project.js'
import { FakeSlurm } from './fake-slurm.js'

const rubbish = 'echo "Segmentation fault (core dumped)"\n'
const refuses = 'echo "Connection refused" >&2; exit 1\n'

/** An sacct that knows of one job. */
const recorded = (job: string, state: string, start: string) =>
  `echo "${job}|it_1|${state}|0:0|2036-03-01T10:00:00|${start}|2036-03-02T10:00:00|0|None|n1|0|00:00:00|||"\n`

test('out of memory beats the exit code 0 of the script', async () => {
  const slurm = await FakeSlurm.launched('exit 0')
  slurm.queue('RUNNING')
  await slurm.runJob()
  expect(await slurm.group()).toMatchObject({ status: 'finished', exit_code: 0 })
  expect(await slurm.says('OUT_OF_MEMORY')).toMatchObject({ status: 'failed', cause: 'oom', exit_code: 0 })
})

test('why says that a job could not start again because its own script had removed what starts it', async () => {
  const slurm = await FakeSlurm.launched('rm -r "$QANAT_STORAGE_PATH"; kill -TERM $PPID; sleep 60')
  slurm.queue('RUNNING')
  expect((await slurm.folder.qanat('why', '1')).stdout).toContain('none: the job has not started, or could not write')
  await slurm.runJob()
  expect(await slurm.says('FAILED', { restarts: 1, exit: '125:0' })).toMatchObject({
    status: 'failed',
    cause: 'launch',
  })
  const { stdout } = await slurm.folder.qanat('why', '1')
  expect(stdout).toMatch(
    /exit record +none: the files that start the job are gone; an earlier start of its script may have removed them/,
  )
})

test('an unknown state keeps the last one', async () => {
  const slurm = await FakeSlurm.launched('exit 0')
  expect((await slurm.says('RUNNING')).status).toBe('running')
  expect((await slurm.says('QUANTUM_LEAP')).status).toBe('running')
})

test('a job that never started has no start, although squeue gives the time of its end as its start', async () => {
  const slurm = await FakeSlurm.launched('exit 0')
  expect(await slurm.says('DEADLINE', { ended: '2026-03-01T10:00:00' })).toMatchObject({
    status: 'failed',
    cause: 'deadline',
    started: null,
  })
})

test('an squeue that prints only a greeting changes nothing, and nothing runs twice', async () => {
  const slurm = await FakeSlurm.start()
  await slurm.folder.qanat('config', 'set', 'grace', '0.001')
  await slurm.launch('exit 0')
  expect((await slurm.says('RUNNING')).status).toBe('running')
  slurm.answer('queue', '*** Welcome, maintenance ***\n')
  for (let look = 0; look < 3; look++) expect((await slurm.group()).status).toBe('running')
  const { stderr } = await slurm.folder.qanat('runs')
  expect(stderr).toContain('slurm did not answer: run 1 is shown as it was before')
  expect((await slurm.folder.qanat('run_retry', '1')).code).not.toBe(0)
  slurm.answer('explained', '*** Welcome, maintenance ***\n')
  const why = await slurm.folder.qanat('why', '1')
  expect(why.stdout).toContain(
    "has an unknown state: squeue did not answer: it printed only '*** Welcome, maintenance ***'",
  )
})

test('a Slurm that does not say its name is not given a run', async () => {
  const slurm = await FakeSlurm.start()
  slurm.answer('config', '*** Welcome, maintenance ***\n')
  const { code, stderr } = await slurm.folder.qanat('run', '--runner', 'slurm', 'it', 'true')
  expect([code, stderr]).toEqual([4, expect.stringContaining("it printed only '*** Welcome, maintenance ***'")])
  expect((await slurm.folder.json('runs', '--json')).runs).toEqual([])
})

test('a secret is not in the environment that sbatch exports, at no launch, and its job has it', async () => {
  const slurm = await FakeSlurm.start('  key: {secrets: [API_TOKEN]}\n')
  const { folder } = slurm
  const exported = join(folder.path, '.qanat/exported')
  const [first, ...code] = folder.read('.qanat/bin/sbatch').split('\n')
  folder.write('.qanat/bin/sbatch', [first, `env >>${exported}`, ...code].join('\n'), 0o755)
  const launches = [
    ['run', '-r', 'slurm', '--submit_template', 'key', 'it', 'echo "$API_TOKEN"; exit 3'],
    ['run_retry', '1'],
    ['rerun', '1'],
  ]
  for (const [at, words] of launches.entries()) {
    folder.environment.API_TOKEN = 's3cret'
    const { code: exit, stderr } = await folder.qanat(...words)
    expect([exit, stderr]).toEqual([0, ''])
    delete folder.environment.API_TOKEN
    const [job, run] = [77 + at, at === 2 ? 2 : 1]
    await slurm.runJob({ job })
    slurm.queue('FAILED', { job, run, exit: '3:0' })
    expect(await slurm.group(0, run)).toMatchObject({ status: 'failed', exit_code: 3 })
    expect(folder.read(`results/it/run_${run}/stdout.txt`)).toBe('s3cret\n')
  }
  expect(folder.read('.qanat/exported').match(/^PATH=/gm)).toHaveLength(3)
  expect(folder.read('.qanat/exported')).not.toMatch(/API_TOKEN|s3cret/)
})

test("somebody else's job with the same id does not count", async () => {
  const slurm = await FakeSlurm.launched('exit 0')
  expect((await slurm.says('FAILED', { comment: '00000000-0000-4000-8000-000000000000', exit: '9:0' })).status).toBe(
    'pending',
  )
})

test('a job of another cluster is neither polled nor lost', async () => {
  const slurm = await FakeSlurm.launched('exit 0')
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

test('an sacct that prints rubbish, fails or hangs changes nothing about a job that has left the queue', async () => {
  const slurm = await FakeSlurm.launched('exit 0')
  expect((await slurm.says('RUNNING')).status).toBe('running')
  slurm.answer('queue', '')
  for (const code of [rubbish, refuses, 'exec sleep 60\n']) {
    slurm.answer('sacct', code)
    expect((await slurm.group()).status).toBe('running')
  }
  slurm.answer('sacct', recorded('77_0', 'CANCELLED by 1001', 'None'))
  await slurm.folder.whenStatus(1, 'cancelled')
})

test.each([refuses, rubbish])('an sacct is asked again, although the queue says the same, after %j', async code => {
  const slurm = await FakeSlurm.launched('exit 0', 'exit 0')
  slurm.queue('RUNNING', { task: 0 })
  slurm.queue('RUNNING', { task: 1 })
  expect((await slurm.group(1)).status).toBe('running')
  slurm.forget({ task: 1 })
  slurm.answer('sacct', code)
  for (let look = 0; look < 4; look++) expect((await slurm.group(1)).status).toBe('running')
  slurm.answer('sacct', recorded('77_1', 'TIMEOUT', '2036-03-01T10:00:00'))
  expect(await slurm.group(1)).toMatchObject({ status: 'failed', cause: 'timeout' })
})

test('a job that was requeued by hand after its end is pending, even while Slurm does not answer, and its next end counts', async () => {
  const slurm = await FakeSlurm.launched(
    '[ -e "$QANAT_PROJECT/.qanat/again" ] || { touch "$QANAT_PROJECT/.qanat/again"; exit 3; }',
  )
  await slurm.runJob()
  expect(await slurm.says('RUNNING')).toMatchObject({ status: 'failed', exit_code: 3 })
  expect((await slurm.says('PENDING', { restarts: 1, reason: 'BeginTime' })).status).toBe('pending')
  slurm.answer('config', 'no answer')
  expect((await slurm.group()).status).toBe('pending')
  slurm.answer('config', 'ClusterName = fake\n')
  await slurm.runJob({ restarts: 1 })
  expect(await slurm.says('COMPLETED', { restarts: 1 })).toMatchObject({ status: 'finished', exit_code: 0 })
})

test('a group that finished is compared by the metrics of its last execution, also if Slurm never said that it was requeued', async () => {
  const slurm = await FakeSlurm.launched(
    'echo x >>"$QANAT_PROJECT/.qanat/starts"; wc -l <"$QANAT_PROJECT/.qanat/starts" | sed "s/.*/{\\"acc\\": &}/" >"$QANAT_STORAGE_PATH/metrics.json"',
  )
  const compared = async () => {
    const { cells } = await slurm.folder.json('compare', 'it', '--json')
    return cells[0].metrics.acc?.mean ?? null
  }
  slurm.queue('RUNNING')
  await slurm.runJob()
  await slurm.group()
  expect(await compared()).toBe(1)
  expect((await slurm.says('PENDING', { restarts: 1, reason: 'BeginTime' })).status).toBe('pending')
  expect(await compared()).toBeNull()
  await slurm.runJob({ restarts: 1 })
  expect((await slurm.says('RUNNING', { restarts: 1 })).status).toBe('finished')
  expect(await compared()).toBe(2)
  slurm.queue('RUNNING', { restarts: 2 })
  await slurm.runJob({ restarts: 2 })
  expect((await slurm.says('COMPLETED', { restarts: 2 })).status).toBe('finished')
  expect(await compared()).toBe(3)
})

test('a script that ended on its own while Slurm was down is finished, even if Slurm then reports a timeout', async () => {
  const slurm = await FakeSlurm.launched('exit 0', 'exit 3')
  await slurm.runJob({ task: 0 })
  await slurm.runJob({ task: 1 })
  slurm.queue('TIMEOUT', { task: 0, ended: '2036-03-01T11:00:00' })
  slurm.queue('TIMEOUT', { task: 1, ended: '2036-03-01T11:00:00' })
  const { group_list } = await slurm.folder.show()
  expect(group_list).toMatchObject([
    { status: 'finished', exit_code: 0 },
    { status: 'failed', cause: 'exit', exit_code: 3 },
  ])
})

test('a group whose job is suspended runs, and is said to be suspended', async () => {
  const slurm = await FakeSlurm.launched('true')
  expect(await slurm.says('SUSPENDED')).toMatchObject({ status: 'running' })
  expect((await slurm.folder.qanat('run_show', 'it', '1')).stdout).toMatch(/running +suspended/)
  expect((await slurm.folder.qanat('why', 'it', '1')).stdout).toContain('Group 0 of run 1 is running, and is suspended')
  slurm.queue('RUNNING')
  expect((await slurm.folder.qanat('run_show', 'it', '1')).stdout).not.toContain('suspended')
})

test('a task that is held leaves the others of its array pending', async () => {
  const slurm = await FakeSlurm.launched('true', 'true', 'true')
  for (const task of [0, 1, 2]) slurm.queue('PENDING', { task, reason: task === 1 ? 'JobHeldUser' : 'Priority' })
  expect((await slurm.folder.show()).groups).toMatchObject({ pending: 2, held: 1 })
})

test('a run that is over becomes live again when one of its tasks is requeued by hand', async () => {
  const slurm = await FakeSlurm.launched('true', 'exit 3')
  for (const [task, exit] of ['0:0', '3:0'].entries()) {
    await slurm.runJob({ task })
    slurm.queue(task === 0 ? 'COMPLETED' : 'FAILED', { task, exit })
  }
  expect((await slurm.folder.show()).status).toBe('failed')
  slurm.queue('PENDING', { task: 1, restarts: 1, reason: 'BeginTime' })
  const { groups } = (await slurm.folder.json('experiment', 'status', 'it', '--json')).runs[0]
  expect(groups).toMatchObject({ finished: 1, pending: 1 })
  const { code, stderr } = await slurm.folder.qanat('run_retry', 'it', '1')
  expect([code, stderr]).toEqual([2, expect.stringContaining('run 1 has no group to retry')])
})

test.each([
  ['squeue', 'has an unknown state: squeue did not answer: Unable to contact slurm controller'],
  ['sacct', 'is no longer in the queue, and sacct did not answer: Unable to contact slurm controller'],
])('why says if %s does not answer', async (program, text) => {
  const slurm = await FakeSlurm.launched('true')
  slurm.answer('queue', '')
  slurm.program(program, 'echo "Unable to contact slurm controller" >&2; exit 1')
  const { stdout } = await slurm.folder.qanat('why', 'it', '1')
  expect(stdout).toMatch(new RegExp(`Slurm +job 77_0 ${text}$`, 'm'))
})

test('a launch warns of a template without memory if that takes whole nodes, and of a teardown without time', async () => {
  const slurm = await FakeSlurm.start('  tidy: {teardown: sync, --mem: 1G}\n')
  slurm.answer(
    'config',
    `ClusterName = fake
MaxArraySize = 1001
KillWait = 2 sec
SelectTypeParameters = CR_CORE_MEMORY
PartitionName=main Default=YES DefMemPerNode=UNLIMITED
`,
  )
  const run = (template: string) =>
    slurm.folder.qanat('run', '-r', 'slurm', '--submit_template', template, 'it', 'true')
  expect((await run('default')).stderr).toMatch(
    /the submit template default requests no memory.*\n.*resources: \{memory: 4G\}/,
  )
  const tidy = await run('tidy')
  expect(tidy.stderr).toMatch(/kills a job 2 s after .*: the teardown of the submit template tidy may not end in time/)
  expect(tidy.stderr).not.toContain('memory')
})

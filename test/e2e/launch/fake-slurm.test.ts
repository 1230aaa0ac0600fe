import { expect, test } from 'vitest'
import { groups, until } from '../project.js'
import { FakeSlurm } from './fake-slurm.js'

const greeting = '*** Welcome, maintenance ***\n'

test('an squeue that prints only a greeting changes nothing, and nothing runs twice', async () => {
  const slurm = await FakeSlurm.start()
  await slurm.qanat('config set grace 0.001')
  await slurm.launch('exit 0')
  expect((await slurm.says('RUNNING')).status).toBe('running')
  slurm.answer('queue', greeting)
  await slurm.stays('running')
  expect((await slurm.qanat('runs')).stderr).toContain('slurm did not answer: run 1 is shown as it was before')
  expect((await slurm.qanat('run_retry 1')).code).not.toBe(0)
})

test.each([
  ['squeue', `printf '${greeting}'`, "has an unknown state: squeue did not answer: it printed only '.*maintenance.*'"],
  ['squeue', 'echo Down >&2; exit 1', 'has an unknown state: squeue did not answer: Down'],
  ['sacct', 'echo Down >&2; exit 1', 'is no longer in the queue, and sacct did not answer: Down'],
])('why says so if %s does not answer: %s', async (program, code, text) => {
  const slurm = await FakeSlurm.launched('true')
  slurm.answer('queue', '')
  slurm.program(program, code)
  expect((await slurm.qanat('why it 1')).stdout).toMatch(new RegExp(`Slurm +job 77_0 ${text}$`, 'm'))
})

test('why says that a job could not start again because its own script had removed what starts it', async () => {
  const slurm = await FakeSlurm.launched('rm -r "$QANAT_STORAGE_PATH"; kill -TERM $PPID; sleep 60')
  slurm.queue('RUNNING')
  expect((await slurm.qanat('why 1')).stdout).toContain('none: the job has not started, or could not write')
  await slurm.runJob()
  const ended = { status: 'failed', cause: 'launch' }
  expect(await slurm.says('FAILED', { restarts: 1, exit: '125:0' })).toMatchObject(ended)
  const gone = 'none: the files that start the job are gone; an earlier start of its script may have removed them'
  expect((await slurm.qanat('why 1')).stdout).toContain(gone)
})

test('a Slurm that does not say its name is not given a run', async () => {
  const slurm = await FakeSlurm.start()
  slurm.answer('config', greeting)
  const { code, stderr } = await slurm.qanat('run --runner slurm it true')
  expect([code, stderr]).toEqual([4, expect.stringContaining("it printed only '*** Welcome, maintenance ***'")])
  expect((await slurm.folder.json('runs', '--json')).runs).toEqual([])
})

test('a secret is not in the environment that sbatch exports, at no launch, and its job has it', async () => {
  const slurm = await FakeSlurm.start('  key: {secrets: [API_TOKEN]}\n')
  const { folder } = slurm
  slurm.before('sbatch', `env >>${slurm.file('exported')}`)
  const launches = [
    ['run', '-r', 'slurm', '--submit_template', 'key', 'it', 'echo "$API_TOKEN"; exit 3'],
    ['run_retry', '1'],
    ['rerun', '1'],
  ]
  for (const [at, words] of launches.entries()) {
    folder.environment.API_TOKEN = 's3cret'
    expect(await folder.qanat(...words)).toMatchObject({ code: 0, stderr: '' })
    delete folder.environment.API_TOKEN
    const [job, run] = [77 + at, at === 2 ? 2 : 1]
    await slurm.runJob({ job })
    slurm.queue('FAILED', { job, run, exit: '3:0' })
    expect(await slurm.group(0, run)).toMatchObject({ status: 'failed', exit_code: 3 })
    expect(folder.read(`results/it/run_${run}/stdout.txt`)).toBe('s3cret\n')
  }
  expect(folder.read('.qanat/slurm_exported').match(/^PATH=/gm)).toHaveLength(3)
  expect(folder.read('.qanat/slurm_exported')).not.toMatch(/API_TOKEN|s3cret/)
})

test('a job of another cluster is neither polled nor lost', async () => {
  const slurm = await FakeSlurm.launched('exit 0')
  await slurm.says('RUNNING')
  slurm.answer('config', 'ClusterName = other\nMaxArraySize = 1001\n')
  slurm.queue('FAILED')
  const status = () => slurm.folder.json('experiment', 'status', 'it', '--json', '--refresh')
  const { as_of } = await status()
  await slurm.qanat('config set grace 0.5')
  // A job of this cluster that nobody finds is lost after the grace, in which the other one was not found either.
  await slurm.launch('exit 0')
  const later = await until(status, ({ runs }) => runs.some((run: { status: string }) => run.status === 'lost'))
  expect(later).toMatchObject({
    as_of,
    runs: [
      { id: 1, status: 'running' },
      { id: 2, status: 'lost' },
    ],
  })
})

test.each([
  ['prints rubbish', 'echo "Segmentation fault (core dumped)"\n', 4],
  ['fails', 'echo "Connection refused" >&2; exit 1\n', 4],
  ['hangs', 'exec sleep 60\n', 1],
])(
  'an sacct that %s changes nothing about a job that has left the queue, and is asked again',
  async (_, code, looks) => {
    const slurm = await FakeSlurm.launched('exit 0', 'exit 0')
    for (const task of [0, 1]) slurm.queue('RUNNING', { task })
    expect((await slurm.group(1)).status).toBe('running')
    slurm.forget({ task: 1 })
    slurm.answer('sacct', code)
    await slurm.stays('running', 1, looks)
    const times = '2036-03-01T10:00:00|2036-03-01T10:00:00|2036-03-02T10:00:00'
    slurm.answer('sacct', `echo "77_1|it_1|TIMEOUT|0:0|${times}|0|None|n1|0|00:00:00|||"\n`)
    expect(await slurm.group(1)).toMatchObject({ status: 'failed', cause: 'timeout' })
  },
)

test('a run that is over lives again if a task is requeued by hand, even while Slurm does not answer, and its next end counts', async () => {
  const again = '"$QANAT_PROJECT/.qanat/again"'
  const slurm = await FakeSlurm.launched(`[ -e ${again} ] || { touch ${again}; exit 3; }`, 'true')
  await slurm.end([3, 0])
  expect(await slurm.folder.show()).toMatchObject({ status: 'failed', groups: { failed: 1, finished: 1 } })
  slurm.queue('PENDING', { restarts: 1, reason: 'BeginTime' })
  const { groups } = (await slurm.folder.json('experiment', 'status', 'it', '--json')).runs[0]
  expect(groups).toMatchObject({ finished: 1, pending: 1 })
  const { code, stderr } = await slurm.qanat('run_retry it 1')
  expect([code, stderr]).toEqual([2, expect.stringContaining('run 1 has no group to retry')])
  slurm.answer('config', 'no answer')
  expect((await slurm.group()).status).toBe('pending')
  slurm.answer('config', 'ClusterName = fake\n')
  await slurm.runJob({ restarts: 1 })
  expect(await slurm.says('COMPLETED', { restarts: 1 })).toMatchObject({ status: 'finished', exit_code: 0 })
})

test('a group is compared by the metrics of its last execution, also if Slurm never said that it was requeued', async () => {
  const slurm = await FakeSlurm.launched(`echo x >>"$QANAT_PROJECT/.qanat/starts"
echo '{"acc": '$(wc -l <"$QANAT_PROJECT/.qanat/starts")'}' >"$QANAT_STORAGE_PATH/metrics.json"`)
  const compared = async () => (await slurm.folder.json('compare', 'it', '--json')).cells[0].metrics.acc?.mean ?? null
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

test('a launch warns of a template without memory if that takes whole nodes, and of a teardown without time', async () => {
  const slurm = await FakeSlurm.start('  tidy: {teardown: sync}\n')
  const [facts, partition] = ['KillWait = 2 sec\nSelectTypeParameters = CR_CORE_MEMORY', 'DefMemPerNode=UNLIMITED']
  slurm.answer('config', `ClusterName = fake\n${facts}\nPartitionName=main Default=YES ${partition}\n`)
  const { stderr } = await slurm.qanat('run -r slurm --submit_template tidy it true')
  expect(stderr).toMatch(/the submit template tidy requests no memory.*\n.*resources: \{memory: 4G\}/)
  expect(stderr).toMatch(/kills a job 2 s after .*: the teardown of the submit template tidy may not end in time/)
})

test('a refused job of many groups is said to ask for what all of its slots need', async () => {
  const slurm = await FakeSlurm.start('  packed: {pack: {groups: 8, slots: 8}}\n')
  slurm.answer('refusal', 'sbatch: error: Requested node configuration is not available\n')
  const { code, stderr } = await slurm.folder.qanat(
    'run',
    '--runner',
    'slurm',
    '--submit_template',
    'packed',
    'it',
    ':',
  )
  expect([code, stderr]).toEqual([4, expect.stringContaining('with fewer of them (pack), it asks for less')])
})

test('the folder of a run that Slurm refuses is removed although a deleted run was there, which can be restored', async () => {
  const slurm = await FakeSlurm.start()
  slurm.program('sbatch', "echo 'sbatch: error: invalid partition' >&2; exit 1")
  for (const program of ['queue', 'jobs'] as const) slurm.answer(program, '')
  await slurm.qanat('run --storage_path results/one it true')
  await slurm.qanat('run_delete 1 --yes')
  expect((await slurm.qanat('run --runner slurm --storage_path results/one it true')).code).toBe(4)
  expect((await slurm.qanat('trash restore 1')).code).toBe(0)
})

test('a job that failed and starts again at once (--requeue=expedite) is pending with its reason, and its next end counts', async () => {
  const again = '"$QANAT_PROJECT/.qanat/again"'
  const slurm = await FakeSlurm.start('  key: {secrets: [API_TOKEN], --requeue: expedite}\n')
  slurm.folder.environment.API_TOKEN = 's3cret'
  const script = `[ -e ${again} ] || { touch ${again}; exit 3; }; echo "$API_TOKEN"`
  await slurm.qanat('config set grace 0.001')
  await slurm.folder.qanat('run', '-r', 'slurm', '--submit_template', 'key', 'it', script)
  await slurm.runJob()
  expect((await slurm.says('EXPEDITING', { restarts: 1, reason: 'Resources' })).status).toBe('pending')
  await slurm.stays('pending')
  slurm.answer('explained', `EXPEDITING|Resources||0:00|100M|2:00|it_1|${slurm.commentOf(77)}\n`)
  expect((await slurm.qanat('why 1')).stdout).toMatch(/job 77_0 EXPEDITING: it waits for free nodes \(Resources\)$/m)
  await slurm.runJob({ restarts: 1 })
  expect(await slurm.says('COMPLETED', { restarts: 1 })).toMatchObject({ status: 'finished', exit_code: 0 })
  expect(slurm.folder.read('results/it/run_1/stdout.txt')).toBe('s3cret\n')
})

const killed = (step: string) => `StepId=${step} exceeded memory limit (209715200 > 104857600), being killed`
test.each([
  ['listed as killed', '24.11', `slurmstepd: error: ${killed('77_0.batch')}`],
  ['listed as killed', '26.05', `[2026-11-27T18:00:00.123] error: ${killed('77_0.batch')}`],
  ['listed as killed', '24.11, about all its steps', 'slurmstepd: error: Exceeded job memory limit'],
  ['forgotten', '24.11', `slurmstepd: error: ${killed('77_0.batch')}`],
])(
  'a group that Slurm has killed for its memory without cgroups, and that is %s, is oom by the log of %s',
  async (listed, _, line) => {
    const slurm = await FakeSlurm.launched('kill -9 $PPID', 'kill -9 $PPID')
    await slurm.qanat('config set grace 0.001')
    const log = (task: number) => `results/it/run_1/.run/slurm/77_${task}.log`
    const cancelled = 'slurmstepd: error: *** JOB 77 ON n1 CANCELLED AT 2026-11-27T18:00:00 ***\n'
    slurm.folder.write(log(0), `loading\n${line}\n${cancelled}`)
    slurm.folder.write(log(1), `my job exceeded memory limit (2 > 1)\n${cancelled}`)
    for (const task of [0, 1]) {
      await slurm.runJob({ task })
      if (listed !== 'forgotten') slurm.queue('FAILED', { task, exit: '0:9' })
    }
    if (listed === 'forgotten') slurm.answer('queue', '')
    const groups = await until(
      async () => (await slurm.folder.show()).group_list,
      ([group]) => group.status === 'failed',
    )
    expect(groups[0]).toMatchObject({ status: 'failed', cause: 'oom', exit_code: null, signal: 'SIGKILL' })
    expect(groups[1].cause).not.toBe('oom')
    expect((await slurm.qanat('why 1.0')).stdout).toMatch(/its log +.*exceeded .*memory limit/i)
    expect((await slurm.qanat('run_retry 1 --only oom')).stdout).toContain('1 group')
  },
)

test('a group whose step Slurm has killed for its memory is oom by what srun says, if it ended as srun does then', async () => {
  const says = (code: number) => `echo 'slurmstepd-n1: error: ${killed('77.0')}' >&2; exit ${code}`
  const slurm = await FakeSlurm.launched(says(137), 'exit 137', says(0), says(3))
  await slurm.end([137, 137, 0, 3])
  const causes = (await slurm.folder.show()).group_list.map(({ cause, exit_code }: any) => [cause, exit_code])
  expect(causes).toEqual([
    ['oom', 137],
    ['signal', 137],
    [null, 0],
    ['exit', 3],
  ])
})

test('a later job that sbatch refuses is submitted by the next look, also of a program that lives on', async () => {
  const slurm = await FakeSlurm.start('  packed: {pack: 2}\n')
  const { folder } = slurm
  await slurm.qanat('config set grace 0.45')
  // After the first group, the job takes no other one.
  const stops = 'touch "$QANAT_PROJECT/results/it/run_1/.run/pool/0/0.0/stop"'
  await folder.qanat('run', '--runner', 'slurm', '--submit_template', 'packed', 'it', ...groups(stops, 'true'))
  await slurm.runJob()
  slurm.queue('COMPLETED')
  const accepts = folder.read('.qanat/bin/sbatch')
  slurm.program('sbatch', 'echo no >&2; exit 1')
  expect((await slurm.qanat('runs')).stderr).toContain('groups of run 1 still wait for a later job: sbatch failed')
  folder.write('.qanat/bin/sbatch', accepts, 0o755)
  await until(async () => {
    await slurm.qanat('runs')
    return slurm.taken().length > 1
  })
  await slurm.runJob({ job: 78 })
  slurm.queue('COMPLETED', { job: 78 })
  await until(async () => (await folder.show()).status === 'finished')
  expect(slurm.taken()).toHaveLength(2)
})

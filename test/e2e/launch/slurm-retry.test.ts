import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { awaits, groups, open, quote, until } from '../project.js'
import { FakeSlurm } from './fake-slurm.js'

const timedOut = 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation\n'

/** The attempts of run 1, as its folder tells of them. */
const attemptsOf = ({ folder }: FakeSlurm) =>
  JSON.parse(folder.read('results/it/run_1/.run/run.yaml')).launch.attempts as {
    readonly attempt: number
    readonly groups: readonly number[]
    readonly submitTemplate: string | null
    readonly submissions: readonly { readonly id: string }[]
  }[]

describe('a retry that Slurm accepts while it reports an error', () => {
  const failedRetry = async (before = (_: FakeSlurm) => {}) => {
    const slurm = await FakeSlurm.launched('echo tried; [ -e "$QANAT_PROJECT/.qanat/fixed" ]')
    await slurm.end([1])
    expect((await slurm.group()).status).toBe('failed')
    slurm.answer('refusal', timedOut)
    before(slurm)
    return { slurm, retry: await slurm.qanat('run_retry it 1') }
  }

  test('leaves no folder of a run whose folder was gone', async () => {
    const { slurm, retry } = await failedRetry(({ folder }) => rmSync(`${folder.path}/results/it`, { recursive: true }))
    expect([retry.code, slurm.folder.list('results')]).toEqual([4, []])
  })

  test('is found by its mark and cancelled, and the groups are as they were', async () => {
    const { slurm, retry } = await failedRetry()
    expect([retry.code, retry.stderr]).toEqual([4, expect.stringContaining('Socket timed out')])
    expect(retry.stderr).toContain('the jobs that were already submitted have been cancelled; some may have begun')
    expect(slurm.commentOf(78)).toBe(`${slurm.commentOf(77)}.2`)
    expect(slurm.cancelled()).toEqual(['78'])
    expect(await slurm.group()).toMatchObject({ status: 'failed', cause: 'exit', exit_code: 1, attempt: 1 })
    expect(slurm.folder.read('results/it/run_1/stdout.txt')).toBe('tried\n')
  })

  test('leaves its number unused, so that records of its job do not count for the next attempt', async () => {
    const { slurm } = await failedRetry()
    slurm.folder.write('.qanat/fixed', '')
    await slurm.runJob({ job: 78 })
    expect(slurm.folder.read('results/it/run_1/.run/records/0.2')).toMatch(/^1 end 0 2 0 exit /m)
    expect(await slurm.group()).toMatchObject({ status: 'failed', attempt: 1 })
    rmSync(slurm.file('refusal'))
    expect(await slurm.qanat('run_retry it 1')).toMatchObject({ code: 0, stderr: '' })
    expect(await slurm.says('PENDING', { job: 79 })).toMatchObject({ status: 'pending', attempt: 3 })
    expect(slurm.wordsOf(79).at(-2)).toMatch(/\/\.run\/launch_3\/slurm\.sh$/)
    expect(slurm.commentOf(79)).toBe(`${slurm.commentOf(77)}.3`)
    await slurm.runJob({ job: 79 })
    expect(await slurm.says('COMPLETED', { job: 79 })).toMatchObject({ status: 'finished', attempt: 3 })
    const attempts = attemptsOf(slurm).map(({ attempt, submissions }) => [attempt, submissions[0]!.id])
    expect(attempts).toEqual([
      [1, '77'],
      [3, '79'],
    ])
  })
})

describe('a Slurm that reports an error and no longer answers', () => {
  const unknown = {
    message: expect.stringMatching(
      /^it is not known whether slurm has taken the jobs of run 1, which is kept: sbatch .*Socket timed out/,
    ),
    hint: 'qanat run_show 1',
    code: 4,
  }

  test('leaves a launch, of which nobody says that it was refused, and all of it runs', async () => {
    const slurm = await FakeSlurm.start()
    slurm.answer('refusal', timedOut)
    slurm.program('squeue', 'echo "Unable to contact slurm controller" >&2; exit 1')
    const launch = await slurm.folder.qanat('run', '--json', '-r', 'slurm', 'it', ...groups('true', 'true'))
    expect([launch.code, JSON.parse(launch.stdout).error]).toMatchObject([4, unknown])
    expect(`${launch.stdout}${launch.stderr}`).not.toMatch(/refused|as it was/)
    for (const task of [0, 1]) await slurm.runJob({ task })
    expect((await slurm.folder.show(1)).groups).toMatchObject({ finished: 2 })
  })

  test('leaves a retry, of which nobody says that it was refused', async () => {
    const slurm = await FakeSlurm.launched('exit 3')
    await slurm.end([3])
    slurm.before('squeue', `[ ! -e ${slurm.file('job_')}78 ] || [ -e ${slurm.file('up')} ] || exit 1`)
    slurm.answer('refusal', timedOut)
    const retry = await slurm.qanat('run_retry --json 1')
    expect([retry.code, JSON.parse(retry.stdout).error]).toMatchObject([4, unknown])
    slurm.folder.write('.qanat/slurm_up', '')
    slurm.queue('RUNNING', { job: 78 })
    await slurm.runJob({ job: 78 })
    expect(await slurm.group()).toMatchObject({ status: 'failed', exit_code: 3, attempt: 2 })
  })
})

describe('the array of a launch that is killed before Slurm answers', () => {
  const killed = async () => {
    const slurm = await FakeSlurm.start()
    const sbatch = slurm.folder.read('.qanat/bin/sbatch')
    slurm.program('sbatch', sbatch.replace('echo $job\n', 'kill -KILL $PPID\n'))
    const launch = slurm.folder.start(['run', '-r', 'slurm', 'it', ...groups(awaits('end'), 'true')])
    await until(() => launch.signalCode === 'SIGKILL')
    return slurm
  }

  test.each<[string, (line: string) => string, boolean]>([
    ['is found by its name and its script, and is cancelled', line => line.replace(/[^|]*$/, 'charged'), true],
    [
      'is not cancelled if it is of another project',
      line => line.replace(/[|][/].*/, '|/other/slurm.sh 0|charged'),
      false,
    ],
    [
      'is not cancelled if it is of another run',
      line => line.replace(/[^|]*$/, '00000000-0000-4000-8000-000000000000'),
      false,
    ],
  ])('%s where the site replaces comments', async (_, change, isOurs) => {
    const slurm = await killed()
    slurm.answer('jobs', change(slurm.folder.read('.qanat/slurm_jobs').trim()))
    for (const task of [0, 1]) slurm.queue('RUNNING', { task, comment: 'charged' })
    expect((await slurm.folder.show()).groups).toMatchObject({ running: isOurs ? 2 : 0 })
    const { code } = await slurm.qanat('run_cancel 1')
    expect([code, slurm.cancelled()]).toEqual(isOurs ? [0, ['77']] : [1, []])
  })

  test('is not given up as long as squeue prints only a greeting, and not said to be cancelled if it was never found', async () => {
    const slurm = await killed()
    await slurm.qanat('config set grace 0.001')
    slurm.answer('jobs', '*** Welcome ***\n')
    await slurm.stays('pending')
    slurm.answer('jobs', '')
    const job = slurm.runJob()
    await until(async () => (await slurm.group()).status === 'running')
    const { code, stdout, stderr } = await slurm.qanat('run_cancel 1')
    expect([code, stdout, slurm.cancelled()]).toEqual([1, '', []])
    expect(stderr).toContain('nothing was cancelled: no job of run 1 was found in the queue of slurm')
    open(slurm.folder, 'end')
    await job
  })
})

test('two retries of different groups at the same time are both kept, and both are cancelled', async () => {
  const slurm = await FakeSlurm.start('  big: {resources: {memory: 4G}}\n  long: {resources: {time: 90}}\n')
  await slurm.launch('exit 3', 'kill -9 $$', 'true')
  await slurm.end([3, 137, 0])
  await slurm.folder.whenStatus(1, 'failed')
  // Each waits for the other before its first command of git: both have looked at the run then, and launched nothing.
  const met = `${slurm.folder.path}/.qanat/met_`
  const meets = `touch ${met}$PPID; while [ "$(ls ${met}* | wc -l)" -lt 2 ]; do sleep 0.02; done`
  slurm.program('git', `${meets}; PATH=${quote(process.env.PATH!)} exec git "$@"`)
  const retries = ['--only exit --submit_template big', '--only signal --submit_template long']
  const both = await Promise.all(retries.map(words => slurm.qanat(`run_retry it 1 ${words}`)))
  expect(both.map(({ code, stderr }) => [code, stderr])).toEqual(Array(2).fill([0, '']))
  const jobWith = (option: string) => [78, 79].find(id => slurm.wordsOf(id).includes(option))!
  const [big, long] = [jobWith('--mem=4G'), jobWith('--time=90')]
  for (const job of [big, long]) slurm.queue('PENDING', { job })
  const { group_list } = await slurm.folder.show()
  expect(group_list.map(({ status }: { status: string }) => status)).toEqual(['pending', 'pending', 'finished'])
  const attempts = attemptsOf(slurm).slice(1)
  const told = attempts.map(({ groups: [group], submitTemplate, submissions: [job] }) => [
    group,
    submitTemplate,
    job!.id,
  ])
  expect(told.sort()).toEqual([
    [0, 'big', `${big}`],
    [1, 'long', `${long}`],
  ])
  expect([group_list[0].attempt, group_list[1].attempt].sort()).toEqual([2, 3])

  const cancelling = slurm.qanat('run_cancel it 1')
  await until(() => slurm.cancelled().length === 2)
  expect(slurm.cancelled().sort()).toEqual(['78', '79'])
  for (const job of [big, long]) slurm.queue('CANCELLED', { job })
  expect((await cancelling).code).toBe(0)
  expect((await slurm.folder.show()).groups).toMatchObject({ cancelled: 2, finished: 1 })
})

test('a retry leaves alone groups that failed although their script ended with code 0, unless it is told otherwise', async () => {
  const slurm = await FakeSlurm.launched('echo result >"$3/result"', 'exit 3')
  await slurm.end([0, 3])
  slurm.queue('OUT_OF_MEMORY', { exit: '0:125' })
  expect((await slurm.folder.show()).group_list).toMatchObject([{ cause: 'oom', exit_code: 0 }, { cause: 'exit' }])
  const why = await slurm.qanat('why it 1.0')
  expect(why.stdout).toMatch(/-> qanat run_retry 1 --only exit_0 +if its results are not complete$/m)
  expect(why.stdout).not.toContain('--only oom')
  const named = await slurm.qanat('run_retry it 1 --only oom')
  expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('--only exit_0')])
  const all = await slurm.qanat('run_retry it 1')
  expect(all.stdout).toContain('1 group again → Slurm job 78')
  expect(all.stderr).toContain('1 group of run 1 failed although the script ended with code 0')
  expect(slurm.folder.read('results/it/run_1/group_0/result')).toBe('result\n')
  expect((await slurm.qanat('run_retry it 1 --only exit_0')).stdout).toContain('Slurm job 79')
  expect(slurm.folder.has('results/it/run_1/group_0/result')).toBe(false)
})

test('a retry waits for the live jobs of its run if otherwise more groups than --n_threads could run at a time', async () => {
  const slurm = await FakeSlurm.start()
  const codes = groups('exit 3', 'exit 4', 'true', 'true')
  await slurm.folder.qanat('run', '-r', 'slurm', '--n_threads', '2', 'it', ...codes)
  await slurm.end([3, 4])
  slurm.queue('RUNNING', { task: 2 })
  slurm.queue('PENDING', { task: 3 })
  await slurm.folder.when(1, run => run.groups.failed === 2)
  const waits = 'the retry waits for the end of the 2 live groups of run 1, since at most 2 may run at a time'
  expect(await slurm.qanat('run_retry 1')).toMatchObject({ code: 0, stderr: expect.stringContaining(waits) })
  expect(slurm.wordsOf(78)).toContain('--dependency=afterany:77')
})

test('a retry says which template it uses, and warns if that has changed since', async () => {
  const slurm = await FakeSlurm.start('  big: {resources: {memory: 4G}}\n')
  await slurm.folder.qanat('run', '-r', 'slurm', '--submit_template', 'big', 'it', ...groups('exit 3'))
  await slurm.end([3])
  await slurm.folder.whenStatus(1, 'failed')
  await slurm.qanat('config set slurm.big.resources.memory 8G')
  const retry = await slurm.qanat('run_retry it 1')
  expect(retry.stdout).toContain('1 group again → Slurm job 78 (array 0-0), template big')
  expect(retry.stderr).toContain('this retry uses the template big as recorded when run 1 was launched')
  expect(slurm.wordsOf(78)).toContain('--mem=4G')
  await slurm.end([3], 78)
  await slurm.folder.whenStatus(1, 'failed')
  expect(await slurm.qanat('run_retry it 1 --submit_template big')).toMatchObject({ code: 0, stderr: '' })
  expect(slurm.wordsOf(79)).toContain('--mem=8G')
})

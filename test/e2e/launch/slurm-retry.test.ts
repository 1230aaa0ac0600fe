import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { awaits, groups, open, quote, until } from '../project.js'
import { FakeSlurm } from './fake-slurm.js'

const timedOut = 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation\n'

/** The attempts of run 1, as its folder tells of them. */
const attemptsOf = ({ folder }: FakeSlurm) =>
  JSON.parse(folder.read('results/it/run_1/.run/run.yaml')).launch.attempts as {
    readonly attempt: number
    readonly groups: readonly number[] | null
    readonly submitTemplate: string | null
    readonly submissions: readonly { readonly id: string }[]
  }[]

/** Runs all tasks of the first job, and has Slurm say that they have ended. */
async function end(slurm: FakeSlurm, ...exits: string[]): Promise<void> {
  for (const [task, exit] of exits.entries()) {
    await slurm.runJob({ task })
    slurm.queue(exit === '0:0' ? 'COMPLETED' : 'FAILED', { task, exit })
  }
  await until(async () => (await slurm.folder.show()).status === 'failed')
}

describe('a retry that Slurm accepts while it reports an error', () => {
  const failedRetry = async (before = (_: FakeSlurm) => {}) => {
    const slurm = await FakeSlurm.launched('echo tried; [ -e "$QANAT_PROJECT/.qanat/fixed" ]')
    await end(slurm, '1:0')
    slurm.answer('refusal', timedOut)
    before(slurm)
    return { slurm, retry: await slurm.folder.qanat('run_retry', 'it', '1') }
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
    rmSync(`${slurm.folder.path}/.qanat/slurm_refusal`)
    const next = await slurm.folder.qanat('run_retry', 'it', '1')
    expect([next.code, next.stderr]).toEqual([0, ''])
    expect(await slurm.says('PENDING', { job: 79 })).toMatchObject({ status: 'pending', attempt: 3 })
    expect(slurm.wordsOf(79).at(-2)).toMatch(/\/\.run\/launch_3\/slurm\.sh$/)
    expect(slurm.commentOf(79)).toBe(`${slurm.commentOf(77)}.3`)
    await slurm.runJob({ job: 79 })
    expect(await slurm.says('COMPLETED', { job: 79 })).toMatchObject({ status: 'finished', attempt: 3 })
    expect(attemptsOf(slurm)).toMatchObject([
      { attempt: 1, submissions: [{ id: '77' }] },
      { attempt: 3, submissions: [{ id: '79' }] },
    ])
  })
})

describe('a Slurm that reports an error and no longer answers', () => {
  const unknown = (id: number) => ({
    message: expect.stringMatching(
      new RegExp(
        `^it is not known whether slurm has taken the jobs of run ${id}, which is kept: sbatch .*Socket timed out`,
      ),
    ),
    hint: `qanat run_show ${id}`,
    code: 4,
  })
  test('leaves a launch, of which nobody says that it was refused, and all of it runs', async () => {
    const slurm = await FakeSlurm.start()
    slurm.answer('refusal', timedOut)
    slurm.program('squeue', 'echo "Unable to contact slurm controller" >&2; exit 1')
    const launch = await slurm.folder.qanat('run', '--json', '-r', 'slurm', 'it', ...groups('true', 'true'))
    expect([launch.code, JSON.parse(launch.stdout).error]).toMatchObject([4, unknown(1)])
    expect(`${launch.stdout}${launch.stderr}`).not.toMatch(/refused|as it was/)
    const shown = await slurm.folder.qanat('run', '-r', 'slurm', 'it', 'true')
    expect(shown.stderr).toMatch(
      /it is not known whether slurm has taken .*run 2, which is kept.*\n.*qanat run_show 2/s,
    )
    for (const task of [0, 1]) await slurm.runJob({ task })
    expect((await slurm.folder.show(1)).groups).toMatchObject({ finished: 2 })
  })

  test('leaves a retry, of which nobody says that it was refused', async () => {
    const slurm = await FakeSlurm.launched('exit 3')
    await end(slurm, '3:0')
    slurm.program('squeue', `[ ! -e ${slurm.file('job_')}78 ] || exit 1; cat ${slurm.file('queue')}`)
    slurm.answer('refusal', timedOut)
    const retry = await slurm.folder.qanat('run_retry', '--json', '1')
    expect([retry.code, JSON.parse(retry.stdout).error]).toMatchObject([4, unknown(1)])
    slurm.program('squeue', `cat ${slurm.file('queue')}`)
    slurm.queue('RUNNING', { job: 78 })
    await slurm.runJob({ job: 78 })
    expect(await slurm.group()).toMatchObject({ status: 'failed', exit_code: 3, attempt: 2 })
  })
})

describe('the array of a launch that is killed before Slurm answers', () => {
  const killed = async () => {
    const slurm = await FakeSlurm.start()
    const sbatch = slurm.folder.read('.qanat/bin/sbatch')
    slurm.folder.write('.qanat/bin/sbatch', sbatch.replace('echo $job\n', 'kill -KILL $PPID\n'), 0o755)
    const launch = slurm.folder.start(['run', '-r', 'slurm', 'it', ...groups(awaits('end'), 'true')])
    await until(() => launch.signalCode === 'SIGKILL')
    return slurm
  }
  /** Has squeue list it with other words, and list its tasks. */
  const relist = (slurm: FakeSlurm, change: (line: string) => string, comment: string) => {
    slurm.folder.write('.qanat/slurm_jobs', change(slurm.folder.read('.qanat/slurm_jobs')))
    for (const task of [0, 1]) slurm.queue('RUNNING', { task, comment })
  }

  test('is found by its name and its script if the site replaces comments, and is cancelled', async () => {
    const slurm = await killed()
    const mark = slurm.commentOf(77)
    relist(slurm, line => line.replace(mark, 'charged to 1234'), 'charged to 1234')
    expect((await slurm.folder.show()).groups).toMatchObject({ running: 2 })
    expect((await slurm.folder.qanat('run_cancel', '1')).code).toBe(0)
    expect(slurm.cancelled()).toEqual(['77'])
  })

  test.each<[string, (line: string) => string]>([
    ['it is of another project with the same name', line => line.replace(/[|][/].*/, '|/other/slurm.sh 0|charged')],
    ['it is of another run with the same name', line => line.replace(/[^|]*$/, '00000000-0000-4000-8000-000000000000')],
  ])('is not cancelled if %s', async (_, change) => {
    const slurm = await killed()
    relist(slurm, change, 'charged')
    const { code } = await slurm.folder.qanat('run_cancel', '1')
    expect([code, slurm.cancelled()]).toEqual([1, []])
  })

  test('is not given up as long as squeue prints only a greeting', async () => {
    const slurm = await killed()
    await slurm.folder.qanat('config', 'set', 'grace', '0.001')
    slurm.folder.write('.qanat/slurm_jobs', '*** Welcome ***\n')
    for (let look = 0; look < 3; look++) expect((await slurm.folder.show()).status).toBe('pending')
  })

  test('that was never found is not said to be cancelled', async () => {
    const slurm = await killed()
    await slurm.folder.qanat('config', 'set', 'grace', '0.001')
    slurm.folder.write('.qanat/slurm_jobs', '')
    const job = slurm.runJob()
    await until(async () => (await slurm.group()).status === 'running')
    const { code, stdout, stderr } = await slurm.folder.qanat('run_cancel', '1')
    expect([code, stdout, slurm.cancelled()]).toEqual([1, '', []])
    expect(stderr).toContain('nothing was cancelled: no job of run 1 was found in the queue of slurm')
    open(slurm.folder, 'end')
    await job
  })
})

test('two retries of different groups at the same time are both kept, and both are cancelled', async () => {
  const slurm = await FakeSlurm.start('  big: {resources: {memory: 4G}}\n  long: {resources: {time: 90}}\n')
  await slurm.launch('exit 3', 'kill -9 $$', 'true')
  await end(slurm, '3:0', '137:0', '0:0')
  // Each waits for the other before its first command of git: both have looked at the run then, and launched nothing.
  const met = `${slurm.folder.path}/.qanat/met_`
  slurm.program(
    'git',
    `touch ${met}$PPID
while [ "$(ls ${met}* | wc -l)" -lt 2 ]; do sleep 0.02; done
PATH=${quote(process.env.PATH!)} exec git "$@"`,
  )
  const retries = [
    ['--only', 'exit', '--submit_template', 'big'],
    ['--only', 'signal', '--submit_template', 'long'],
  ]
  const both = await Promise.all(retries.map(words => slurm.folder.qanat('run_retry', 'it', '1', ...words)))
  expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ])
  const job = (option: string) => [78, 79].find(id => slurm.wordsOf(id).includes(option))!
  const [big, long] = [job('--mem=4G'), job('--time=90')]
  expect([big, long].sort()).toEqual([78, 79])
  slurm.queue('PENDING', { job: big })
  slurm.queue('PENDING', { job: long })
  const { group_list } = await slurm.folder.show()
  expect(group_list.map(({ status }: { status: string }) => status)).toEqual(['pending', 'pending', 'finished'])
  const [first, second] = group_list.map(({ attempt }: { attempt: number }) => attempt)
  expect([first, second].sort()).toEqual([2, 3])
  const { stdout } = await slurm.folder.qanat('run_show', 'it', '1')
  for (const template of ['big', 'long']) {
    expect(stdout).toMatch(new RegExp(`^Launched again: .*, 1 group, template ${template}$`, 'm'))
  }

  const cancelling = slurm.folder.qanat('run_cancel', 'it', '1')
  await until(() => slurm.cancelled().length === 2)
  expect(slurm.cancelled().sort()).toEqual(['78', '79'])
  slurm.queue('CANCELLED', { job: big })
  slurm.queue('CANCELLED', { job: long })
  expect((await cancelling).code).toBe(0)
  expect((await slurm.folder.show()).groups).toMatchObject({ cancelled: 2, finished: 1 })
  const attempts = attemptsOf(slurm)
  expect(attempts.find(({ attempt }) => attempt === first)).toMatchObject({
    groups: [0],
    submitTemplate: 'big',
    submissions: [{ id: String(big) }],
  })
  expect(attempts.find(({ attempt }) => attempt === second)).toMatchObject({
    groups: [1],
    submitTemplate: 'long',
    submissions: [{ id: String(long) }],
  })
})

test('a retry leaves alone groups that failed although their script ended with code 0, unless it is told otherwise', async () => {
  const slurm = await FakeSlurm.launched('echo result >"$3/result"', 'exit 3')
  for (const [task, exit] of ['0:125', '3:0'].entries()) {
    await slurm.runJob({ task })
    slurm.queue(task === 0 ? 'OUT_OF_MEMORY' : 'FAILED', { task, exit })
  }
  expect((await slurm.folder.show()).group_list).toMatchObject([{ cause: 'oom', exit_code: 0 }, { cause: 'exit' }])
  const why = await slurm.folder.qanat('why', 'it', '1.0')
  expect(why.stdout).toMatch(/-> qanat run_retry 1 --only exit_0 +if its results are not complete$/m)
  expect(why.stdout).not.toContain('--only oom')
  const named = await slurm.folder.qanat('run_retry', 'it', '1', '--only', 'oom')
  expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('--only exit_0')])
  const all = await slurm.folder.qanat('run_retry', 'it', '1')
  expect(all.stdout).toContain('1 group again → Slurm job 78')
  expect(all.stderr).toContain('1 group of run 1 failed although the script ended with code 0')
  expect(slurm.folder.read('results/it/run_1/group_0/result')).toBe('result\n')
  expect((await slurm.folder.qanat('run_retry', 'it', '1', '--only', 'exit_0')).stdout).toContain('Slurm job 79')
  expect(slurm.folder.has('results/it/run_1/group_0/result')).toBe(false)
})

test('a retry waits for the live jobs of its run if otherwise more groups than --n_threads could run at a time', async () => {
  const slurm = await FakeSlurm.start()
  const codes = groups('exit 3', 'exit 4', 'true', 'true')
  const launched = await slurm.folder.qanat('run', '-r', 'slurm', '--n_threads', '2', 'it', ...codes)
  expect([launched.code, launched.stderr]).toEqual([0, ''])
  for (const [task, exit] of ['3:0', '4:0'].entries()) {
    await slurm.runJob({ task })
    slurm.queue('FAILED', { task, exit })
  }
  slurm.queue('RUNNING', { task: 2 })
  slurm.queue('PENDING', { task: 3 })
  await slurm.folder.when(1, ({ groups: { failed } }) => failed === 2)
  const waits = (live: string) =>
    `the retry waits for the end of the ${live} of run 1, since at most 2 may run at a time`
  const dependencyOf = (job: number) => slurm.wordsOf(job).find(word => word.startsWith('--dependency'))

  const first = await slurm.folder.qanat('run_retry', '1')
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining(waits('2 live groups'))])
  expect(dependencyOf(78)).toBe('--dependency=afterany:77')

  for (const [task, exit] of ['3:0', '4:0'].entries()) {
    await slurm.runJob({ job: 78, task })
    slurm.queue('FAILED', { job: 78, task, exit })
  }
  for (const task of [2, 3]) {
    await slurm.runJob({ task })
    slurm.queue('COMPLETED', { task })
  }
  await slurm.folder.when(1, ({ groups: { failed, finished } }) => failed === 2 && finished === 2)
  const second = await slurm.folder.qanat('run_retry', '1', '--only', 'exit')
  expect([second.code, second.stderr]).toEqual([0, ''])
  expect(dependencyOf(79)).toBeUndefined()
})

test('a retry says which template it uses, and warns if that has changed since', async () => {
  const slurm = await FakeSlurm.start('  big: {resources: {memory: 4G}}\n')
  const launched = await slurm.folder.qanat('run', '-r', 'slurm', '--submit_template', 'big', 'it', ...groups('exit 3'))
  expect([launched.code, launched.stderr]).toEqual([0, ''])
  await end(slurm, '3:0')
  const config = slurm.folder.read('.qanat/config.yaml')
  slurm.folder.write('.qanat/config.yaml', config.replace('4G', '8G'))
  const retry = await slurm.folder.qanat('run_retry', 'it', '1')
  expect(retry.stdout).toContain('1 group again → Slurm job 78 (array 0-0), template big')
  expect(retry.stderr).toContain('this retry uses the template big as recorded when run 1 was launched')
  expect(slurm.wordsOf(78)).toContain('--mem=4G')
  await slurm.runJob({ job: 78 })
  slurm.queue('FAILED', { job: 78, exit: '3:0' })
  await until(async () => (await slurm.group()).status === 'failed')
  const again = await slurm.folder.qanat('run_retry', 'it', '1', '--submit_template', 'big')
  expect([again.code, again.stderr]).toEqual([0, ''])
  expect(slurm.wordsOf(79)).toContain('--mem=8G')
})

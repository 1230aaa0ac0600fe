import { once } from 'node:events'
import { hostname } from 'node:os'
import { describe, expect, test } from 'vitest'
import { usualIgnores } from '../../../src/domain/code-used.js'
import { expectError } from '../expectations.js'
import { awaits, groups, open, projectWith, shellProject, until } from '../project.js'

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/)

describe('how a group ended', () => {
  const outcomes = [
    { code: 'exit 0', status: 'finished', cause: null, exit_code: 0, signal: null },
    { code: 'exit 3', status: 'failed', cause: 'exit', exit_code: 3, signal: null },
    { code: 'no_such_program', status: 'failed', cause: 'exit', exit_code: 127, signal: null },
    { code: 'exit 255', status: 'failed', cause: 'exit', exit_code: 255, signal: null },
    { code: 'kill -9 $$', status: 'failed', cause: 'signal', exit_code: 137, signal: 'SIGKILL' },
    { code: 'kill -SEGV $$', status: 'failed', cause: 'signal', exit_code: 139, signal: 'SIGSEGV' },
    { code: 'kill -TERM $$', status: 'failed', cause: 'signal', exit_code: 143, signal: 'SIGTERM' },
    { code: 'kill -INT $$', status: 'failed', cause: 'signal', exit_code: 130, signal: 'SIGINT' },
  ]

  test('is reported for each: exit codes, signals, a missing program', async () => {
    const project = await shellProject()
    const { code } = await project.qanat('run', 'it', ...groups(...outcomes.map(outcome => outcome.code)))
    expect(code).toBe(1)
    const { status, groups: counts, group_list: list } = await project.show()
    expect(status).toBe('failed')
    expect(counts).toMatchObject({ total: 8, finished: 1, failed: 7 })
    const told = list.map(({ status, cause, exit_code, signal }: any) => ({ status, cause, exit_code, signal }))
    expect(told).toEqual(outcomes.map(({ code, ...outcome }) => outcome))
  })

  test('is reported for a script that empties its own folder, which contains the records of the run', async () => {
    const project = await shellProject()
    const folder = '"$QANAT_STORAGE_PATH"'
    // Meanwhile a file of the launch may come to lie in a folder that is being removed.
    const code = `while [ -e ${folder} ]; do rm -rf ${folder}; done; mkdir -p ${folder}; echo result >${folder}/out; exit $2`
    expect((await project.qanat('run', 'it', code, '0')).code).toBe(0)
    expect((await project.qanat('run', 'it', code, '3')).code).toBe(1)
    expect(await project.show(1)).toMatchObject({ status: 'finished', group_list: [{ exit_code: 0 }] })
    expect(await project.show(2)).toMatchObject({ status: 'failed', group_list: [{ cause: 'exit', exit_code: 3 }] })
    expect(project.read('results/it/run_1/out')).toBe('result\n')
  })

  test('is an error of the shell if executable_command does not exist', async () => {
    const project = await projectWith('', 'no_such_program')
    const { code, stdout } = await project.qanat('run', 'it')
    expect(code).toBe(1)
    expect(stdout).toMatch(/group 0: exit 127: .*no_such_program/)
    expect(project.read('results/it/run_1/stderr.txt')).toContain('no_such_program')
  })

  test('is shown at the end: the first failures with their last error, and what to type next', async () => {
    const project = await shellProject()
    const { stdout, code } = await project.qanat('run', 'it', ...groups('true', 'echo why >&2; exit 4'))
    expect(code).toBe(1)
    expect(stdout).toMatch(/^Run 1 failed: 1 finished, 1 failed in /m)
    expect(stdout).toContain("group 1 ('echo why >&2; exit 4'): exit 4: why\n")
    expect(stdout).toContain('qanat why 1.1        qanat run_retry 1')
  })
})

test('--max_failures starts no more groups once so many have failed, and run_retry takes them up', async () => {
  const project = await shellProject()
  const scripts = groups('true', 'exit 3', 'exit 3', 'true', 'true')
  const { stdout, code } = await project.qanat('run', '--max_failures', '2', 'it', ...scripts)
  expect(code).toBe(1)
  expect(stdout).toContain('Run 1 failed: 1 finished, 2 failed, 2 cancelled in ')
  expect(stdout).toContain(
    '\n  stopped early: as many groups failed as --max_failures allows, and no others were started\n',
  )
  expect((await project.qanat('why', '1.3')).stdout).toContain(
    'not started: as many groups had failed as --max_failures allows',
  )
  expect((await project.show()).group_list[3]).toMatchObject({ status: 'cancelled', started: null, finished: null })
  const retried = await project.qanat('run_retry', '1', '--only', 'cancelled')
  expect(retried.stdout).toContain('3 finished, 2 failed')
  expectError(
    await project.qanat('run', '--max_failures', '0', 'it'),
    2,
    '--max_failures 0: expected a whole number above 0',
  )
})

test('groups of a retry that are cancelled by hand were not skipped because of --max_failures', async () => {
  const project = await shellProject()
  await project.qanat('run', '--max_failures', '1', 'it', ...groups('exit 3', awaits('never')))
  await project.qanat('run_retry', '1', '--only', 'cancelled', '--detach')
  await project.when(1, run => run.groups.running === 1)
  await project.qanat('run_cancel', '1')
  const { stdout } = await project.qanat('run_wait', '1')
  expect(stdout).toContain('Run 1 failed: 1 failed, 1 cancelled')
  expect(stdout).not.toContain('stopped early')
})

test('a run warns once if its first groups have all failed alike, and goes on', async () => {
  const project = await shellProject()
  const fail = (at: number) => `echo "no module ${at}" >&2; exit 1`
  const alike = Array.from({ length: 11 }, (_, at) => fail(at))
  const run = project.start(['run', 'it', ...groups(...alike, awaits('others'), 'true')])
  let stderr = ''
  run.stderr!.on('data', text => (stderr += text))
  await until(() => stderr.includes('\n'))
  open(project, 'others')
  await once(run, 'close')
  expect(stderr).toMatch(
    /^Warning: the first \d+ groups have all failed with the same error: exit 1: no module 0\n {2}\d+ others are waiting or running; qanat run_cancel 1 ends the run\n$/,
  )
  expect((await project.show()).groups).toMatchObject({ finished: 2, failed: 11 })
})

test('the summary at the end puts failures together that are alike, and counts the others', async () => {
  const project = await shellProject()
  const fail = (text: string) => `echo "${text}" >&2; exit 1`
  const others = ['a', 'b', 'c'].map(fail)
  const { stdout } = await project.qanat('run', 'it', ...groups(fail('odd'), fail('step 1'), fail('step 2'), ...others))
  const lines = stdout.split('\n').slice(3)
  expect(lines).toEqual([
    `  group 1 ('${fail('step 1')}'): exit 1: step 1, and 1 more with the same error`,
    `  group 0 ('${fail('odd')}'): exit 1: odd`,
    `  group 3 ('${fail('a')}'): exit 1: a`,
    '  and 2 more: qanat failures 1',
    ...['  qanat why 1.0        qanat run_retry 1', ''],
  ])
})

describe('JSON', () => {
  test('of a run that was waited for is one document, its output goes to stderr', async () => {
    const project = await shellProject()
    const options = ['--json', '--tag', 'a', '-t', 'b', '--description', 'why not']
    const { stdout, stderr, code } = await project.qanat('run', ...options, 'it', 'echo out; echo err >&2')
    expect(code).toBe(0)
    expect(stderr.split('\n').sort()).toEqual(['', 'err', 'out'])
    expect(JSON.parse(stdout)).toEqual({
      id: 1,
      experiment: 'it',
      status: 'finished',
      groups: { total: 1, pending: 0, running: 0, held: 0, finished: 1, failed: 0, cancelled: 0, lost: 0 },
      runner: 'local',
      runner_params: { submit_template: 'default', resolved: {}, n_threads: 1, container: null, gpu: false },
      commit_sha: project.git('rev-parse', 'HEAD').trim(),
      code_used: expect.stringMatching(/^[0-9a-f]{64}$/),
      dirty: false,
      code_changed: false,
      storage_path: 'results/it/run_1',
      description: 'why not',
      tags: ['a', 'b'],
      rerun_of: null,
      launched: time,
      started: time,
      finished: time,
      duration_s: expect.any(Number),
      progress: 100,
    })
  })

  test('of run_show is that of the run and its groups', async () => {
    const project = await shellProject()
    const run = await project.json('run', '--json', 'it', '-g', 'true', '-g', 'false --n 1 --n 2 --flag')
    const { group_list: list, left_behind: left, ...shown } = await project.show()
    const outputs = { files: 4, bytes: 0, hashed: 0, partial: null }
    expect([shown, left]).toEqual([{ ...run, best: {}, data: [], actions: [], outputs }, []])
    const used = expect.toBeOneOf([null, expect.any(Number)])
    const usage = { cpu_s: used, peak_memory_bytes: used }
    const group = { host: hostname(), started: time, finished: time, job_id: null, attempt: 1, signal: null, ...usage }
    const command = (index: number, ...words: string[]) => {
      return ['sh', 'it.sh', ...words, '--storage_path', `${project.path}/results/it/run_1/group_${index}`]
    }
    expect(list).toEqual([
      {
        index: 0,
        status: 'finished',
        cause: null,
        exit_code: 0,
        ...group,
        storage_path: 'results/it/run_1/group_0',
        parameters: { pos_0: 'true' },
        command: command(0, 'true'),
      },
      {
        index: 1,
        status: 'failed',
        cause: 'exit',
        exit_code: 1,
        ...group,
        storage_path: 'results/it/run_1/group_1',
        parameters: { pos_0: 'false', '--n': ['1', '2'], '--flag': '' },
        command: command(1, 'false', '--n', '1', '--n', '2', '--flag'),
      },
    ])
    expect(Date.parse(run.started)).toBeGreaterThanOrEqual(Date.parse(run.launched))
    expect(run.duration_s).toBeCloseTo((Date.parse(run.finished) - Date.parse(run.started)) / 1000)
  })

  test('of the status of an experiment lists its runs, the live ones first', async () => {
    const project = await shellProject()
    await project.json('run', '--json', '--detach', 'it', awaits('end'))
    const ended = await project.json('run', '--json', 'it', 'true')
    const { experiment, as_of, runs, ...more } = await project.json('experiment', 'status', 'it', '--json')
    expect(more).toEqual({})
    expect(as_of).toEqual(time)
    expect(experiment).toEqual({
      name: 'it',
      description: '',
      path: '',
      executable: 'it.sh',
      executable_command: 'sh',
      datasets: [],
      tags: [],
      actions: [],
      metrics: [],
      best: {},
      outputs: [],
      passes: [],
      uses: [],
      ignores: [...usualIgnores],
      manifest: 'size',
    })
    expect(runs).toEqual([expect.objectContaining({ id: 1, finished: null, duration_s: null }), { ...ended, best: {} }])
    open(project, 'end')
  })

  test('of a live run has the progress that it reports', async () => {
    const project = await shellProject()
    const counts = 'printf "count_total=4\\n1\\n2\\n" >"$QANAT_STORAGE_PATH/progress.txt"'
    await project.json('run', '--json', '--detach', 'it', ...groups('true', `${counts}; ${awaits('end')}`))
    const run = await project.when(1, ({ progress }) => progress > 50)
    expect(run).toMatchObject({ status: 'running', progress: 87.5, started: time, finished: null, duration_s: null })
    expect(run.group_list[1]).toMatchObject({ status: 'running', exit_code: null, started: time, finished: null })
    open(project, 'end')
    expect((await project.json('run_wait', 'it', '1', '--json')).progress).toBe(100)
  })

  test('of an error has the message, the hint and the exit code', async () => {
    const project = await shellProject()
    const { stdout, stderr, code } = await project.qanat('run', '--json', 'its')
    expect(code).toBe(2)
    expect(stderr).toBe('')
    const error = {
      message: expect.stringContaining('Did you mean it?'),
      hint: expect.any(String),
      code: 2,
      kind: 'usage',
    }
    expect(JSON.parse(stdout)).toEqual({ error })
  })
})

import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { usualIgnores } from '../../../src/domain/code-used.js'
import { awaits, groups, open, shellProject } from '../project.js'

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/)
const used = expect.toBeOneOf([null, expect.any(Number)])

test('JSON of a run, of its groups and of the status of its experiment is one document, of which every field is known', async () => {
  const project = await shellProject()
  const options = ['--json', '--tag', 'a', '-t', 'b', '--description', 'why not']
  const { stdout, stderr, code } = await project.qanat('run', ...options, 'it', 'echo out; echo err >&2')
  expect([code, stderr.split('\n').sort()]).toEqual([0, ['', 'err', 'out']])
  const run = {
    id: 1,
    experiment: 'it',
    status: 'finished',
    groups: { total: 1, pending: 0, running: 0, held: 0, finished: 1, failed: 0, cancelled: 0, lost: 0 },
    runner: 'local',
    runner_params: { submit_template: 'default', resolved: {}, n_threads: 1, container: null, gpu: false },
    commit_sha: project.git('rev-parse', 'HEAD').trim(),
    code_used: expect.stringMatching(/^[0-9a-f]{64}$/),
    ...{ dirty: false, code_changed: false, storage_path: 'results/it/run_1' },
    ...{ description: 'why not', tags: ['a', 'b'], rerun_of: null },
    ...{ launched: time, started: time, finished: time, duration_s: expect.any(Number), progress: 100 },
  }
  expect(JSON.parse(stdout)).toEqual(run)

  const second = await project.json('run', '--json', 'it', '-g', 'true', '-g', 'false --n 1 --n 2 --flag')
  expect(Date.parse(second.started)).toBeGreaterThanOrEqual(Date.parse(second.launched))
  expect(second.duration_s).toBeCloseTo((Date.parse(second.finished) - Date.parse(second.started)) / 1000)
  const { group_list: list, left_behind: left, ...shown } = await project.show(2)
  const outputs = { files: 4, bytes: 0, hashed: 0, partial: null }
  expect([shown, left]).toEqual([{ ...second, best: {}, data: [], actions: [], outputs }, []])
  const group = (index: number, ...words: string[]) => ({
    ...{ index, host: hostname(), started: time, finished: time, job_id: null, attempt: 1, signal: null },
    ...{ cpu_s: used, peak_memory_bytes: used, storage_path: `results/it/run_2/group_${index}` },
    command: ['sh', 'it.sh', ...words, '--storage_path', `${project.path}/results/it/run_2/group_${index}`],
  })
  const parameters = { pos_0: 'false', '--n': ['1', '2'], '--flag': '' }
  expect(list).toEqual([
    { ...group(0, 'true'), status: 'finished', cause: null, exit_code: 0, parameters: { pos_0: 'true' } },
    {
      ...group(1, ...'false --n 1 --n 2 --flag'.split(' ')),
      status: 'failed',
      cause: 'exit',
      exit_code: 1,
      parameters,
    },
  ])

  const counts = 'printf "count_total=4\\n1\\n2\\n" >"$QANAT_STORAGE_PATH/progress.txt"'
  await project.qanat('run', '--detach', 'it', ...groups('true', `${counts}; ${awaits('end')}`))
  const live = await project.when(3, ({ progress }) => progress > 50)
  expect(live).toMatchObject({ status: 'running', progress: 87.5, started: time, finished: null, duration_s: null })
  expect(live.group_list[1]).toMatchObject({ status: 'running', exit_code: null, started: time, finished: null })
  const { experiment, as_of, runs, ...more } = await project.json('experiment', 'status', 'it', '--json')
  expect([as_of, more]).toEqual([time, {}])
  expect(experiment).toEqual({
    ...{ name: 'it', description: '', path: '', executable: 'it.sh', executable_command: 'sh', best: {} },
    ...{ datasets: [], tags: [], actions: [], metrics: [], outputs: [], passes: [], uses: [] },
    ...{ ignores: [...usualIgnores], manifest: 'size' },
  })
  const unfinished = expect.objectContaining({ id: 3, finished: null, duration_s: null })
  expect(runs).toEqual([unfinished, { ...second, best: {} }, { ...run, best: {} }])
  open(project, 'end')
  expect((await project.json('run_wait', 'it', '3', '--json')).progress).toBe(100)

  const refused = await project.qanat('run', '--json', 'its')
  expect([refused.code, refused.stderr]).toEqual([2, ''])
  const message = expect.stringContaining('Did you mean it?')
  expect(JSON.parse(refused.stdout)).toEqual({ error: { message, hint: expect.any(String), code: 2, kind: 'usage' } })
})

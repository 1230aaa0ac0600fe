import { describe, expect, test } from 'vitest'
import { groups, shellProject } from '../project.js'

describe('rerun', () => {
  test('launches the same groups of the same commit, and names it; tags and description stay with the old run', async () => {
    const folder = await shellProject()
    folder.write('version', 'old\n')
    folder.commit()
    const commit = folder.git('rev-parse', 'HEAD').trim()
    await folder.qanat(
      'run',
      '--tag',
      'paper',
      '--description',
      'the first',
      '--n_threads',
      '2',
      'it',
      ...groups('cat version', "echo 'it''s'"),
    )
    folder.write('version', 'new\n')
    folder.commit()
    const { code, stdout, stderr } = await folder.qanat('rerun', 'it', '1')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('Run 2 of it')
    expect(folder.read('results/it/run_2/group_0/stdout.txt')).toBe('old\n')
    expect(folder.read('results/it/run_2/group_1/stdout.txt')).toBe('its\n')
    const run = await folder.show(2)
    expect(run).toMatchObject({ commit_sha: commit, rerun_of: 1, runner_params: { n_threads: 2 } })
    expect(run).toMatchObject({ tags: [], description: '' })
    expect((await folder.qanat('run_show', 'it', '2')).stdout).toContain('Rerun of: run 1\n')
    expect((await folder.show(1)).rerun_of).toBe(null)
  })

  test('takes along changes that were not committed, and a dirty tree of today does not matter', async () => {
    const folder = await shellProject()
    folder.write('version', 'dirty\n')
    await folder.qanat('run', '--allow_dirty', 'it', 'cat version')
    folder.write('version', 'dirtier\n')
    const { code, stderr } = await folder.qanat('rerun', 'it', '1')
    expect([code, stderr]).toEqual([0, ''])
    expect(folder.read('results/it/run_2/stdout.txt')).toBe('dirty\n')
    expect(await folder.show(2)).toMatchObject({ dirty: true })
    expect(folder.read('results/it/run_2/.run/uncommitted.patch')).toContain('+dirty')
  })

  test('works for a run whose folder somebody has deleted', async () => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', 'echo kept')
    await folder.shell('rm -rf results/it/run_1')
    await folder.qanat('rerun', 'it', '1')
    expect(folder.read('results/it/run_2/stdout.txt')).toBe('kept\n')
  })

  test('of a run that is not there says which there are', async () => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', 'true')
    expect(await folder.qanat('rerun', 'it', '7')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there are 1'),
    })
  })
})

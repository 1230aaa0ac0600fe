import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { awaits, groups, open, shellProject } from '../project.js'

describe('the lists of runs', () => {
  test('contain all experiments, live runs first, and can be filtered', async () => {
    const folder = await shellProject()
    folder.write('other.yaml', 'name: other\nexecutable: it.sh\nexecutable_command: sh\n')
    await folder.qanat('experiment', 'new', '-f', 'other.yaml')
    folder.commit()
    await folder.qanat('run', '--detach', 'it', awaits('end'))
    await folder.qanat('run', '--tag', 'paper', 'other', 'exit 3', '--lr', '0.1')
    await folder.qanat('run', '--tag', 'paper', 'it', 'true', '-R', '--lr 0.1 0.4 0.1')
    const ids = async (...args: string[]) =>
      (await folder.json('runs', '--json', ...args)).runs.map(({ id }: { id: number }) => id)
    expect(await ids()).toEqual([1, 3, 2])
    expect(await ids('--tag', 'paper')).toEqual([3, 2])
    expect(await ids('--status', 'failed,running')).toEqual([1, 2])
    expect(await ids('--param', '--lr:0.3')).toEqual([3])
    expect(await ids('--param', '0.1', '--limit', '1')).toEqual([3])
    expect(await ids('--sort', 'id')).toEqual([1, 2, 3])
    expect(await ids('--since', '1h', '--commit', 'nothing')).toEqual([])
    const { stdout } = await folder.qanat('runs')
    expect(stdout).toMatch(/^Run +Experiment +Status/)
    expect(stdout).toMatch(/^2 +other +failed/m)
    const status = await folder.json('experiment', 'status', 'it', '--json', '--tag', 'paper')
    expect(status.runs).toMatchObject([{ id: 3 }])
    const counted = async (...args: string[]) =>
      /^Runs: (.*), as of/m.exec((await folder.qanat('experiment', 'status', 'it', ...args)).stdout)![1]
    expect(await counted()).toBe('2')
    expect(await counted('--limit', '1')).toBe('1 of 2')
    expect(await counted('--tag', 'paper')).toBe('1 of 2')
    expect(await counted('--tag', 'nope')).toBe('0 of 2')
    expect((await folder.qanat('runs', '--limit', '2')).stdout).toContain('\nthe first 2 of 3 runs\n')
    expect((await folder.qanat('runs', '--status', 'sad')).code).toBe(2)
    open(folder, 'end')
    await folder.whenStatus(1, 'finished')
  })

  test('say how long a live run will still take, once a group has ended', async () => {
    const folder = await shellProject()
    await folder.qanat('run', '--detach', 'it', ...groups('true', awaits('end'), 'true'))
    await folder.when(1, run => run.groups.finished === 1 && run.groups.running === 1)
    expect((await folder.qanat('experiment', 'status', 'it')).stdout).toMatch(/^Run 1: about \d+\.\d s left$/m)
    open(folder, 'end')
    await folder.whenStatus(1, 'finished')
    expect((await folder.qanat('experiment', 'status', 'it')).stdout).not.toContain(' left')
  })

  test('are also tables for other programs', async () => {
    const folder = await shellProject()
    await folder.qanat(
      'run',
      '--description',
      'with "quotes", and a comma',
      '--tag',
      'a',
      'it',
      ...groups('true', 'true'),
    )
    const { stdout } = await folder.qanat('runs', '--csv')
    const [head, row] = stdout.split('\n')
    expect(head).toMatch(/^id,experiment,status,/)
    expect(row).toContain('"with ""quotes"", and a comma"')
    expect(head!.split(',')).toContain('groups_finished')
    expect((await folder.qanat('experiment', 'status', 'it', '--csv')).stdout).toBe(stdout)
  })

  test('show tags that are added and removed later', async () => {
    const folder = await shellProject()
    await folder.qanat('run', '--tag', 'draft', 'it', 'true')
    expect((await folder.qanat('run_tag', 'it', '1', '+paper', '-draft')).stdout).toBe('Run 1: paper\n')
    expect(JSON.parse(folder.read('results/it/run_1/.run/run.yaml')).tags).toEqual(['paper'])
    const missing = await folder.qanat('run_tag', 'it', '1', '-draft')
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("there is no tag 'draft'")])
    expect((await folder.qanat('run_tag', 'it', '1', 'paper')).code).toBe(2)
    expect((await folder.qanat('run_tag', 'it', '1')).stderr).toContain('which tags?')
  })

  test('can have comments, which keep earlier paragraphs', async () => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', 'true')
    await folder.qanat('run_comment', 'it', '1', '-m', 'seed 3 is an *outlier*')
    const { stdout } = await folder.qanat('run_comment', 'it', '1', '-m', 'not any more')
    expect(stdout).toBe('results/it/run_1/comment.md\n')
    expect(folder.read('results/it/run_1/comment.md')).toBe('seed 3 is an *outlier*\n\nnot any more\n')
    expect((await folder.qanat('run_show', 'it', '1')).stdout).toContain(
      '\n\nseed 3 is an outlier\n\nnot any more\n\nGroup',
    )
    expect(await folder.qanat('run_comment', 'it', '1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('-m TEXT'),
    })
    const inPlaceOfRun = await folder.qanat('run_comment', '1', 'seed 3 is an outlier')
    expect([inPlaceOfRun.code, inPlaceOfRun.stderr]).toEqual([
      2,
      expect.stringContaining("-m: qanat run_comment 1 -m 'seed 3 is an outlier'"),
    ])
    expect((await folder.qanat('run_comment', '1', 'it')).stderr).toContain('the experiment comes first: it 1')
  })
})

test('a run whose folder somebody has deleted is shown as such, rerun, and deleted', async () => {
  const folder = await shellProject()
  await folder.qanat('run', 'it', 'true')
  rmSync(`${folder.path}/results/it/run_1`, { recursive: true })
  const shown = await folder.qanat('run_show', 'it', '1')
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('Path: results/it/run_1 (gone)')])
  for (const command of [
    ['run_logs', 'it', '1'],
    ['why', 'it', '1'],
    ['experiment', 'status', 'it'],
  ]) {
    expect((await folder.qanat(...command)).stderr).not.toContain('Error: ENOENT')
  }
  expect((await folder.qanat('rerun', 'it', '1')).code).toBe(0)
  expect((await folder.qanat('run_delete', 'it', '1', '--yes')).code).toBe(0)
  expect((await folder.json('runs', '--json')).runs.map((run: { id: number }) => run.id)).toEqual([2])
})

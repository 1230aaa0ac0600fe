import { beforeAll, describe, expect, test } from 'vitest'
import { awaits, groups, until } from '../e2e/project.js'
import { startBox } from './box.js'
import { lifecycle } from './lifecycle.js'
import { clusterProject, noBox, shellProject } from './project.js'

describe.skipIf(noBox).each([
  { name: 'with accounting', accounting: true },
  { name: 'without accounting', accounting: false },
])('slurm $name', ({ accounting }) => {
  beforeAll(() => startBox({ accounting }))
  lifecycle('slurm', clusterProject)

  test('a retry beside live groups keeps the limit of groups at a time', async () => {
    const it = await shellProject('slurm')
    await it.launch('slurm', '--n_threads', '1', 'it', ...groups('exit 3', awaits('end'), 'true'))
    await it.when(1, ({ groups: { failed, running } }) => failed === 1 && running === 1)
    const retry = await it.qanat('run_retry', '1')
    expect([retry.code, retry.stderr]).toEqual([0, expect.stringContaining('waits for the end of the 2 live groups')])
    await until(
      () => it.qanat('why', 'it', '1.0'),
      ({ stdout }) => stdout.includes('it waits for the job before it'),
    )
    it.open('end')
    const { group_list } = await it.when(1, ({ groups: { failed, finished } }) => failed === 1 && finished === 2)
    expect(group_list.map(({ attempt }) => attempt)).toEqual([2, 1, 1])
    const [again, ...others] = group_list.map(({ started, finished }) => ({ started, finished }))
    for (const other of others) expect(again!.started! >= other.finished!).toBe(true)
  })
})

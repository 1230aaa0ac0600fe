import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { paths } from '../e2e/expectations.js'
import { FakeSlurm } from '../e2e/launch/fake-slurm.js'

/** A Slurm that refuses every job, after shell code of the test's; the project has an empty folder `results/mine`. */
async function refusing(code: string): Promise<FakeSlurm> {
  const slurm = await FakeSlurm.start()
  // Its queue is empty, which it says.
  slurm.folder.write('.qanat/slurm_jobs', '')
  slurm.program('sbatch', `${code}; echo 'sbatch: error: Invalid account' >&2; exit 1`)
  mkdirSync(join(slurm.folder.path, 'results/mine'), { recursive: true, mode: 0o2770 })
  return slurm
}

async function launchIn({ folder }: FakeSlurm, path: string): Promise<void> {
  const { code, stderr } = await folder.qanat('run', '-r', 'slurm', '--storage_path', path, 'it', 'true')
  expect([code, stderr]).toEqual([4, expect.stringContaining('Invalid account')])
}

describe('a launch that is refused', () => {
  test.each(['results/mine', 'results/mine/study/first/run'])('leaves folders as they were: %s', async path => {
    const slurm = await refusing(':')
    const { mode, ino } = lstatSync(join(slurm.folder.path, 'results/mine'))
    const visible = () => paths(slurm.folder).filter(name => !/^(\.qanat|\.git)\//.test(name))
    const before = visible()
    await launchIn(slurm, path)
    expect(visible()).toEqual(before)
    expect(lstatSync(join(slurm.folder.path, 'results/mine'))).toMatchObject({ mode, ino })
  })

  test.each([
    ['results/mine', 'results/mine'],
    ['results/new/run', 'results/new'],
  ])('of %s leaves files that somebody has put into %s in the meantime', async (path, place) => {
    const slurm = await refusing(`echo kept >${place}/notes.txt`)
    await launchIn(slurm, path)
    expect(slurm.folder.list(place)).toEqual(['notes.txt'])
  })
})

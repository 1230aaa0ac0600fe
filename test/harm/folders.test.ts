import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { paths } from '../e2e/expectations.js'
import { FakeSlurm } from '../e2e/launch/fake-slurm.js'

/** A Slurm that refuses every job, after shell code of the test's. */
async function refusing(code = ':'): Promise<FakeSlurm> {
  const slurm = await FakeSlurm.start()
  // Its queue is empty, which it says.
  slurm.folder.write('.qanat/slurm_jobs', '')
  slurm.program('sbatch', `${code}; echo 'sbatch: error: Invalid account' >&2; exit 1`)
  return slurm
}

/** Launches what is refused, and returns the files that it changed, those of Qanat and git aside. */
async function launch({ folder }: FakeSlurm, path: string): Promise<{ before: string[]; after: string[] }> {
  const visible = () => paths(folder).filter(name => !/^(\.qanat|\.git)\//.test(name))
  const before = visible()
  const { code, stderr } = await folder.qanat('run', '--runner', 'slurm', '--storage_path', path, 'it', 'true')
  expect([code, stderr]).toEqual([4, expect.stringContaining('Invalid account')])
  return { before, after: visible() }
}

describe('a launch that is refused', () => {
  test('leaves an empty folder that was there before as it was', async () => {
    const slurm = await refusing()
    const place = join(slurm.folder.path, 'results/mine')
    mkdirSync(place, { recursive: true, mode: 0o2770 })
    const { mode, ino } = lstatSync(place)
    const { before, after } = await launch(slurm, 'results/mine')
    expect(after).toEqual(before)
    expect(lstatSync(place)).toMatchObject({ mode, ino })
  })

  test('removes the folders that it has made, and no others', async () => {
    const slurm = await refusing()
    mkdirSync(join(slurm.folder.path, 'results/mine'), { recursive: true })
    const { before, after } = await launch(slurm, 'results/mine/study/first/run')
    expect(after).toEqual(before)
  })

  test('leaves files that somebody has put there in the meantime', async () => {
    const slurm = await refusing()
    mkdirSync(join(slurm.folder.path, 'results/mine'), { recursive: true })
    slurm.program('sbatch', 'echo kept >results/mine/notes.txt; exit 1')
    await slurm.folder.qanat('run', '--runner', 'slurm', '--storage_path', 'results/mine', 'it', 'true')
    expect(slurm.folder.list('results/mine')).toEqual(['notes.txt'])
    slurm.program('sbatch', 'echo kept >results/new/notes.txt; exit 1')
    await slurm.folder.qanat('run', '--runner', 'slurm', '--storage_path', 'results/new/run', 'it', 'true')
    expect(slurm.folder.list('results/new')).toEqual(['notes.txt'])
  })
})

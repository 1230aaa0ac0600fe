import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectError } from '../e2e/expectations.js'
import { madeOnce } from '../e2e/made-once.js'
import { Folder } from '../e2e/project.js'
import { does, enter, leavesNothing, projectIn, settled, tellsTheTruth } from './killed/crash.js'

const grid = ['it', '-R', '--n 0 2 1']

/** A project with a run that has finished and one that has failed, both of two groups in frozen code. */
const projectWithRuns = madeOnce(async () => {
  const folder = await projectIn('works')
  await does(folder, 'run', ...grid)
  enter(folder, 'fails')
  expect((await folder.qanat('run', ...grid)).code).toBe(1)
  return folder
})

async function canBeRead(folder: Folder): Promise<void> {
  for (const line of ['status', 'runs', 'cache status', 'experiment status it', 'run_show it 1', 'why it 2'])
    await does(folder, ...line.split(' '))
}

/** What failed is retried, what finished is run again, and all of it can be removed. */
async function goesOnAfterwards(folder: Folder): Promise<void> {
  enter(folder, 'works')
  for (const words of [
    ['run_retry', '2'],
    ['rerun', '1'],
    ['run', ...grid],
  ])
    await does(folder, ...words)
  tellsTheTruth(folder, await settled(folder))
  await leavesNothing(folder)
}

describe('a project works', () => {
  test('whose description files were deleted', async () => {
    const folder = await projectWithRuns()
    for (const name of ['run_1/info.yaml', 'run_2/info.yaml', 'run_2/group_0/group_info.yaml'])
      rmSync(join(folder.path, 'results/it', name))
    await canBeRead(folder)
    await goesOnAfterwards(folder)
  })

  test.each(['results/it/run_1', 'results'])('whose %s was moved away, and says so', async path => {
    const folder = await projectWithRuns()
    renameSync(join(folder.path, path), join(folder.path, '.git/moved'))
    await canBeRead(folder)
    const logs = await folder.qanat('run_logs', 'it', '1')
    expectError(logs, 2, 'the folder of run 1 is gone: results/it/run_1', 'qanat rerun 1')
    await goesOnAfterwards(folder)
  })

  test.each([
    ['moved', (from: string, to: string) => renameSync(from, to)],
    ['copied', (from: string, to: string) => cpSync(from, to, { recursive: true, verbatimSymlinks: true })],
  ])('that was %s as a whole, with its frozen code, before the original was removed', async (_, move) => {
    const [folder, other] = [await projectWithRuns(), new Folder()]
    rmSync(other.path, { recursive: true })
    move(folder.path, other.path)
    rmSync(folder.path, { recursive: true, force: true, maxRetries: 5 })
    mkdirSync(folder.path)
    await canBeRead(other)
    await goesOnAfterwards(other)
  })
})

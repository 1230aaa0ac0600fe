import { describe, expect, test } from 'vitest'
import { type Folder, until } from '../../e2e/project.js'
import * as crash from './crash.js'

const { does, goesOn, isKilled, leavesNothing, moments, projectIn, settled, tellsTheTruth } = crash

const launch = ['it', '-R', '--n 0 3 1', '--n_threads', '2']
const deletes = ['run_delete', 'it', '1', '--yes']
const restores = ['trash', 'restore', '1']
const empties = ['trash', 'empty', '--yes']

/** A run of three groups that has failed, and can be retried with success. */
async function failedRun(): Promise<Folder> {
  const folder = await projectIn('fails')
  expect((await folder.qanat('run', ...launch)).code).toBe(1)
  crash.enter(folder, 'works')
  return folder
}

/** A run of which two groups live and one waits. */
async function liveRun(): Promise<Folder> {
  const folder = await projectIn('waits')
  expect((await folder.qanat('run', '--detach', ...launch)).code).toBe(0)
  await until(() => crash.executions(folder).size === 2)
  return folder
}

test.each(
  moments(`retry-claimed file-moved file-moved:2 file-moved:5 launch-file retry-files order-ready order-given order-taken
    handle-known handle-stored retry-submitted`),
)('run_retry that is killed at %s', async moment => {
  const folder = await failedRun()
  await crash.crashes(folder, [moment], 'run_retry', 'it', '1')
  await goesOn(folder)
  // Whatever the earlier attempts have made is somewhere.
  const made = folder.git('ls-files', '--others', '--ignored', '--exclude-standard', 'results').match(/\/made$/gm)
  expect(made?.length).toBeGreaterThanOrEqual(6)
  await leavesNothing(folder)
})

describe('run_cancel', () => {
  const ofCancel = moments('refresh-polled cancel-begin cancel-marked cancel-signalled cancel-end')

  test.each(ofCancel)('that is killed at %s, is done by the next one', async moment => {
    const folder = await liveRun()
    await crash.crashes(folder, [moment], 'run_cancel', 'it', '1')
    // There is nothing to do where the groups were signalled and have ended meanwhile.
    expect([0, 2]).toContain((await folder.qanat('run_cancel', 'it', '1')).code)
    expect((await settled(folder)).map(run => run.status)).toEqual(['cancelled'])
    await goesOn(folder)
  })

  test('ends the groups itself if the keeper of their pool is dead', async () => {
    const folder = await liveRun()
    process.kill(JSON.parse(folder.read('results/it/run_1/.run/pool/keeper')).pid, 'SIGKILL')
    expect((await folder.qanat('run_cancel', 'it', '1')).code).toBe(0)
    expect(await folder.show()).toMatchObject({ status: 'cancelled', groups: { cancelled: 3 } })
  })
})

describe('a deletion that is killed', () => {
  const ofDeletion = moments('delete-begin delete-moved delete-marked')

  test.each(ofDeletion)('at %s, and is taken back', async moment => {
    const folder = await failedRun()
    await isKilled(folder, [moment], ...deletes)
    await folder.qanat(...deletes)
    expect((await folder.qanat(...restores)).code).toBe(0)
    await goesOn(folder)
    await leavesNothing(folder)
  })

  test.each(ofDeletion)('at %s, and then cleaned, takes no files of a run', async moment => {
    const folder = await failedRun()
    await isKilled(folder, [moment], ...deletes)
    await does(folder, ...empties)
    const { runs } = await folder.json('experiment', 'status', 'it', '--json')
    expect(runs.filter((run: { storage_path: string }) => !folder.has(run.storage_path))).toEqual([])
    await leavesNothing(folder)
  })

  test.each(moments('cancel-marked cancel-end delete-begin delete-moved'))('of a live run, at %s', async moment => {
    const folder = await liveRun()
    await crash.crashes(folder, [moment], ...deletes)
    folder.write('.qanat/gate', '')
    tellsTheTruth(folder, await settled(folder))
    await leavesNothing(folder)
  })
})

test('a command that is killed at left-moved loses nothing of what was left in the frozen copy', async () => {
  const folder = await liveRun()
  folder.write(`.qanat/cache/${folder.copies()[0]}/left`, 'precious')
  folder.write('.qanat/gate', '')
  const ends = `cat results/it/run_1/.run/records/* | grep -c '^1 end'`
  await until(async () => (await folder.shell(ends)).stdout === '3\n')
  await isKilled(folder, ['left-moved'], 'run_show', 'it', '1')
  const left = () => folder.read('results/it/run_1/.run/left_behind/left')
  expect(left()).toBe('precious')
  await goesOn(folder)
  expect(left()).toBe('precious')
  await leavesNothing(folder)
})

test.each([
  ['restore-moved', restores],
  ['copy-removed', ['cache', 'clean']],
  ['trash-begin', empties],
  ['trash-removed', empties],
  ['trash-references', empties],
] as const)('what follows a deletion, killed at %s', async (moment, command) => {
  const folder = await failedRun()
  await does(folder, ...deletes)
  await isKilled(folder, [moment], ...command)
  if (command === restores) expect((await folder.qanat(...restores)).code).toBe(0)
  await goesOn(folder)
  await leavesNothing(folder)
})

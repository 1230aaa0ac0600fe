import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Folder, until } from '../../e2e/project.js'
import {
  crashes,
  enter,
  executions,
  type Fault,
  goesOn,
  leavesNothing,
  projectIn,
  sayCounts,
  settled,
  tellsTheTruth,
} from './crash.js'

sayCounts('a command on a run that is killed')

const launch = ['run', 'it', '-R', '--n 0 3 1', '--n_threads', '2']

/** A run of three groups that has failed, and can be retried with success. */
async function failedRun(...options: string[]): Promise<Folder> {
  const folder = await projectIn('fails')
  expect((await folder.qanat(...launch, ...options)).code).toBe(1)
  enter(folder, 'works')
  return folder
}

/** A run of which two groups live and one waits. */
async function liveRun(): Promise<Folder> {
  const folder = await projectIn('waits')
  expect((await folder.qanat('run', '--detach', ...launch.slice(1))).code).toBe(0)
  await until(() => executions(folder).size === 2)
  return folder
}

describe('run_retry that is killed', () => {
  const moments: Fault[] = [
    'retry-claimed',
    'retry-moved',
    'retry-moved:2',
    'retry-moved:5',
    'launch-file',
    'retry-files',
    'order-ready',
    'order-given',
    'order-taken',
    'handle-known',
    'handle-stored',
    'retry-submitted',
    'supervisor-ordered',
    'supervisor-known',
    'slot-given:2',
  ]
  test.each(moments)('at %s', async moment => {
    const folder = await failedRun()
    await crashes(folder, [moment], 'run_retry', 'it', '1')
    await goesOn(folder)
    // Whatever the earlier attempts have made is somewhere.
    const made = folder.git('ls-files', '--others', '--ignored', '--exclude-standard', 'results').match(/\/made$/gm)
    expect(made?.length).toBeGreaterThanOrEqual(6)
    await leavesNothing(folder)
  })
})

describe('run_cancel that is killed', () => {
  const moments: Fault[] = ['refresh-polled', 'cancel-begin', 'cancel-marked', 'cancel-signalled', 'cancel-end']
  test.each<Fault>(moments)('at %s, is done by the next one', async moment => {
    const folder = await liveRun()
    await crashes(folder, [moment], 'run_cancel', 'it', '1')
    const { status } = await folder.show()
    if (status === 'running') expect((await folder.qanat('run_cancel', 'it', '1')).code).toBe(0)
    const runs = await settled(folder)
    expect(runs.map(run => run.status)).toEqual(['cancelled'])
    tellsTheTruth(folder, runs)
    await goesOn(folder)
  })
})

test('run_cancel ends the groups itself if the supervisor is killed while it ends them', async () => {
  const folder = await projectIn('waits')
  folder.environment.QANAT_FAULT = join(folder.path, '.qanat/supervisor-stopping')
  expect((await folder.qanat('run', '--detach', ...launch.slice(1))).code).toBe(0)
  await until(() => executions(folder).size === 2)
  expect((await folder.qanat('run_cancel', 'it', '1')).code).toBe(0)
  expect(folder.has('.qanat/supervisor-stopping')).toBe(true)
  expect(await folder.show()).toMatchObject({ status: 'cancelled', groups: { cancelled: 3 } })
})

describe('a deletion that is killed', () => {
  test.each<Fault>(['delete-begin', 'delete-moved', 'delete-marked'])('at %s', async moment => {
    const folder = await failedRun()
    expect((await crashes(folder, [moment], 'run_delete', 'it', '1', '--yes')).code).toBe(null)
    await leavesNothing(folder)
  })

  test.each<Fault>(['delete-begin', 'delete-moved', 'delete-marked'])('at %s, and is taken back', async moment => {
    const folder = await failedRun()
    await crashes(folder, [moment], 'run_delete', 'it', '1', '--yes')
    await folder.qanat('run_delete', 'it', '1', '--yes')
    expect((await folder.qanat('trash', 'restore', '1')).code).toBe(0)
    await goesOn(folder)
    await leavesNothing(folder)
  })

  test.each<Fault>(['delete-moved', 'delete-marked'])(
    'at %s, and then cleaned, takes no files of a run',
    async moment => {
      const folder = await failedRun()
      await crashes(folder, [moment], 'run_delete', 'it', '1', '--yes')
      expect((await folder.qanat('trash', 'empty', '--yes')).code).toBe(0)
      const { runs } = await folder.json('experiment', 'status', 'it', '--json')
      expect(runs.filter((run: { storage_path: string }) => !folder.has(run.storage_path))).toEqual([])
      await leavesNothing(folder)
    },
  )

  test.each<Fault>(['cancel-marked', 'cancel-end', 'delete-begin', 'delete-moved'])(
    'of a live run, at %s',
    async moment => {
      const folder = await liveRun()
      await crashes(folder, [moment], 'run_delete', 'it', '1', '--yes')
      tellsTheTruth(folder, await settledAfter(folder))
      await leavesNothing(folder)
    },
  )

  test('is undone by a command that is killed', async () => {
    const folder = await failedRun()
    await folder.qanat('run_delete', 'it', '1', '--yes')
    expect((await crashes(folder, ['restore-moved'], 'trash', 'restore', '1')).code).toBe(null)
    expect((await folder.qanat('trash', 'restore', '1')).code).toBe(0)
    await goesOn(folder)
    await leavesNothing(folder)
  })
})

/** The runs once what waits has been let go on. */
function settledAfter(folder: Folder) {
  folder.write('.qanat/gate', '')
  return settled(folder)
}

describe('a command that is killed while it looks at a run that is over', () => {
  test('at left-moved, loses nothing of what was left in the frozen copy', async () => {
    const folder = await liveRun()
    const [copy] = folder.copies()
    folder.write(`.qanat/cache/${copy}/left`, 'precious')
    folder.write('.qanat/gate', '')
    const ends = `cat results/it/run_1/.run/records/* | grep -c '^1 end'`
    await until(async () => (await folder.shell(ends)).stdout === '3\n')
    expect((await crashes(folder, ['left-moved'], 'run_show', 'it', '1')).code).toBe(null)
    expect(folder.read('results/it/run_1/.run/left_behind/left')).toBe('precious')
    await goesOn(folder)
    expect(folder.read('results/it/run_1/.run/left_behind/left')).toBe('precious')
    await leavesNothing(folder)
  })
})

describe('cache clean that is killed', () => {
  test('at copy-removed', async () => {
    const folder = await failedRun()
    await folder.qanat('run_delete', 'it', '1', '--yes')
    expect((await crashes(folder, ['copy-removed'], 'cache', 'clean')).code).toBe(null)
    await goesOn(folder)
    await leavesNothing(folder)
  })
})

describe('trash empty that is killed', () => {
  test.each<Fault>(['trash-begin', 'trash-removed', 'trash-references'])('at %s', async moment => {
    const folder = await failedRun()
    await folder.qanat('run_delete', 'it', '1', '--yes')
    expect((await crashes(folder, [moment], 'trash', 'empty', '--yes')).code).toBe(null)
    await goesOn(folder)
    await leavesNothing(folder)
  })
})

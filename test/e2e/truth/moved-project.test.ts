import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lives, processCalled, tells } from '../processes.js'
import { awaits, Folder, groups, open, shellProject } from '../project.js'

/** Moves a project, as `mv` does. */
function moveAway(project: Folder): Folder {
  const moved = new Folder(project.environment)
  rmSync(moved.path, { recursive: true })
  renameSync(project.path, moved.path)
  return moved
}

/** Shell code of groups, which ends once the project was moved; one makes the folder for its results when it writes them. */
const waits = awaits('end')
const makesFolder = `${waits}; mkdir -p "$QANAT_STORAGE_PATH"; touch "$QANAT_STORAGE_PATH/late"`

test.each([
  ['that ends', waits, null],
  ['that makes its folder again', makesFolder, ['group_0']],
])('a run whose project is moved starts no group at the former place after one %s', async (_, code, remains) => {
  const project = await shellProject()
  await project.qanat('run', '--detach', 'it', ...groups(code, code, code))
  await project.when(1, run => run.groups.running === 1)
  const moved = moveAway(project)
  const after = await moved.when(1, run => run.groups.running + run.groups.pending === 0)
  expect(after.groups).toMatchObject({ finished: 1, lost: 2 })
  expect(after.group_list.map(({ cause }: any) => cause)).toEqual([null, 'never_started', 'never_started'])
  const former = `${project.path}/results/it/run_1`
  expect(existsSync(former) ? readdirSync(former) : null).toEqual(remains)
  open(moved, 'end')
  expect((await moved.qanat('run_retry', '1')).code).toBe(0)
  expect((await moved.show()).group_list.map(({ status, attempt }: any) => [status, attempt])).toEqual([
    ...[1, 2, 2].map(attempt => ['finished', attempt]),
  ])
})

test('a run whose project was moved is cancelled with all of its processes', async () => {
  const project = await shellProject()
  await project.qanat('run', '--detach', 'it', ...groups(`${tells('a')}; exec tail -f /dev/null`, 'true'))
  const group = await processCalled(project, 'a')
  await project.when(1, run => run.groups.running === 1)
  const moved = moveAway(project)
  expect((await moved.json('run_cancel', '1', '--json')).groups).toMatchObject({ cancelled: 2 })
  expect(lives(group)).toBe(false)
  expect(existsSync(project.path)).toBe(false)
  expect((await moved.show()).group_list[0]).toMatchObject({ status: 'cancelled', finished: expect.any(String) })
})

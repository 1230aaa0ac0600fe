import { cpSync, existsSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FakeSlurm } from '../launch/fake-slurm.js'
import { kill, lives, parentOf, processCalled, tells } from '../processes.js'
import { awaits, Folder, groups, open, shellProject, until } from '../project.js'

/** Moves a project, as `mv` does. */
function moveAway(project: Folder): Folder {
  const moved = new Folder(project.environment)
  rmSync(moved.path, { recursive: true })
  renameSync(project.path, moved.path)
  return moved
}

/** Moves a project and makes another one from it where it was. */
function moveAndReplace(project: Folder): Folder {
  const moved = moveAway(project)
  cpSync(moved.path, project.path, { recursive: true, verbatimSymlinks: true })
  return moved
}

/** Moves a project to another disk, where all files are made anew, and leaves a link to it. */
function moveFar(project: Folder): Folder {
  const moved = new Folder(project.environment)
  cpSync(project.path, moved.path, { recursive: true, verbatimSymlinks: true })
  rmSync(project.path, { recursive: true })
  symlinkSync(moved.path, project.path)
  return moved
}

/** Restores a project at its place, as from a backup: its folder becomes another one. */
function restore({ path }: Folder): void {
  cpSync(path, `${path}.new`, { recursive: true, verbatimSymlinks: true })
  rmSync(path, { recursive: true })
  renameSync(`${path}.new`, path)
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

test.each([
  ['moved', moveAway, expect.any(String)],
  ['moved twice', (project: Folder) => moveAway(moveAway(project)), expect.any(String)],
  // Its job still writes to the folder of that path.
  ['moved, with another one where it was', moveAndReplace, null],
  ['moved to another disk, with a link where it was', moveFar, expect.any(String)],
])('a run whose project was %s is known and cancelled there, with all of its processes', async (_, move, finished) => {
  const project = await shellProject()
  await project.qanat('run', '--detach', 'it', ...groups(`${tells('a')}; exec tail -f /dev/null`, 'true'))
  const group = await processCalled(project, 'a')
  await project.when(1, run => run.groups.running === 1)
  const moved = move(project)
  expect(await moved.show()).toMatchObject({ groups: { running: 1, pending: 1 } })
  expect((await moved.json('run_cancel', '1', '--json')).groups).toMatchObject({ cancelled: 2 })
  expect(lives(group)).toBe(false)
  expect((await moved.show()).group_list[0]).toMatchObject({ status: 'cancelled', finished })
})

test('the jobs of a run go on and are cancelled after their project was restored at its place', async () => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('true', 'true')
  for (const task of [0, 1]) slurm.queue('PENDING', { task })
  expect(await slurm.folder.show()).toMatchObject({ groups: { pending: 2 } })
  restore(slurm.folder)
  for (const task of [0, 1]) slurm.queue('RUNNING', { task })
  expect(await slurm.folder.show()).toMatchObject({ groups: { running: 2 } })
  await slurm.folder.qanat('run_cancel', '1')
  expect(slurm.cancelled()).not.toEqual([])
})

test('groups that were killed are lost after their project was restored at its place, and start again', async () => {
  const project = await shellProject()
  await project.qanat('run', '--detach', 'it', ...groups(`${tells('a')}; ${awaits('end')}`, 'true'))
  const group = await processCalled(project, 'a')
  const all = [parentOf(parentOf(group)), parentOf(group), group]
  kill(...all)
  await until(() => !all.some(lives))
  restore(project)
  expect(await project.show()).toMatchObject({ groups: { lost: 2 } })
  open(project, 'end')
  expect((await project.qanat('run_retry', '1')).code).toBe(0)
})

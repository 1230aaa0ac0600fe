import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { FakeSlurm } from '../launch/fake-slurm.js'
import { end, lives, parentOf, processCalled, tells } from '../processes.js'
import { awaits, Folder, groups, open, shellProject } from '../project.js'

const inShell = (code: string, ...words: string[]) => execFileSync('sh', ['-ec', code, 'sh', ...words])

/** Moves a project from `$1` to `$2`, as users do. */
function move(project: Folder, code = 'mv "$1" "$2"'): Folder {
  const moved = new Folder(project.environment)
  rmSync(moved.path, { recursive: true })
  inShell(code, project.path, moved.path)
  return moved
}

/** Restores a project at its place, as from a backup: its folder becomes another one. */
const restore = ({ path }: Folder) => inShell('cp -RP "$1" "$1.new"; rm -r "$1"; mv "$1.new" "$1"', path)

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
  const moved = move(project)
  await moved.when(1, run => run.groups.finished === 1 && run.halted === 'no_worker')
  expect(await moved.states()).toEqual(['finished', 'pending', 'pending'])
  expect(project.has('results/it/run_1') ? project.list('results/it/run_1') : null).toEqual(remains)
  open(moved, 'end')
  // What its scripts know is the former place.
  expectError(await moved.qanat('run_wait', '1', '--yes'), 1, 'its project was moved', 'qanat run_cancel 1')
  expect(project.has('results/it/run_1') ? project.list('results/it/run_1') : null).toEqual(remains)
  await moved.qanat('run_cancel', '1')
  expect((await moved.qanat('run_retry', '1')).code).toBe(0)
  expect(await moved.states()).toEqual(['finished', 'finished attempt 2', 'finished attempt 2'])
})

test.each([
  ['moved', 'mv "$1" "$2"', expect.any(String)],
  ['moved twice', 'mv "$1" "$1.once"; mv "$1.once" "$2"', expect.any(String)],
  // Its job still writes to the folder of that path.
  ['moved, with another one where it was', 'mv "$1" "$2"; cp -RP "$2" "$1"', null],
  [
    'moved to another disk, with a link where it was',
    'cp -RP "$1" "$2"; rm -r "$1"; ln -s "$2" "$1"',
    expect.any(String),
  ],
])('a run whose project was %s is known and cancelled there, with all of its processes', async (_, code, finished) => {
  const project = await shellProject()
  await project.qanat('run', '--detach', 'it', ...groups(`${tells('a')}; exec tail -f /dev/null`, 'true'))
  const group = await processCalled(project, 'a')
  await project.when(1, run => run.groups.running === 1)
  const moved = move(project, code)
  expect(await moved.states()).toEqual(['running', 'pending'])
  await moved.json('run_cancel', '1', '--json')
  expect(lives(group)).toBe(false)
  expect(await moved.states()).toEqual(['cancelled', 'cancelled'])
  expect((await moved.show()).group_list[0]).toMatchObject({ finished })
})

test('the jobs of a run go on and are cancelled after their project was restored at its place', async () => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('true', 'true')
  for (const task of [0, 1]) slurm.queue('PENDING', { task })
  expect(await slurm.folder.states()).toEqual(['pending', 'pending'])
  restore(slurm.folder)
  for (const task of [0, 1]) slurm.queue('RUNNING', { task })
  expect(await slurm.folder.states()).toEqual(['running', 'running'])
  await slurm.folder.qanat('run_cancel', '1')
  expect(slurm.cancelled()).not.toEqual([])
})

test('what was killed is known after its project was restored at its place, and starts again', async () => {
  const project = await shellProject()
  await project.qanat('run', '--detach', 'it', ...groups(`${tells('a')}; ${awaits('end')}`, 'true'))
  const group = await processCalled(project, 'a')
  await end(parentOf(parentOf(group)), parentOf(group), group)
  restore(project)
  expect(await project.show()).toMatchObject({ groups: { lost: 1, pending: 1 }, halted: 'no_worker' })
  open(project, 'end')
  expect((await project.qanat('run_wait', '1', '--yes')).code).toBe(1)
  expect((await project.qanat('run_retry', '1')).code).toBe(0)
  expect((await project.show()).status).toBe('finished')
})

import { execFileSync } from 'node:child_process'
import { cpSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { FakeSlurm } from '../e2e/launch/fake-slurm.js'
import { lives, processCalled, tells } from '../e2e/processes.js'
import { awaits, Folder, groups, open, shellProject } from '../e2e/project.js'

/** A copy of a whole project, as `cp -a` makes it. */
function copyOf(project: Folder): Folder {
  const copy = new Folder(project.environment)
  cpSync(project.path, copy.path, { recursive: true, verbatimSymlinks: true })
  return copy
}

/** All that could end or change a run. */
const touching = [
  ['run_cancel', '1'],
  ['run_delete', '1', '--yes'],
  ['run_retry', '1'],
  ['cache', 'clean'],
]

/** Forgets where a run was launched, as versions did that recorded it only for the job script. */
function forgetRoot(project: Folder): void {
  const database = new Database(join(project.path, '.qanat/database.db'))
  database.exec(`UPDATE attempts SET launcher = json_remove(launcher, '$.project.root')`)
  database.close()
}

test('a live run goes on whatever is done in a copy of its project', async () => {
  const project = await shellProject()
  const twice = groups(awaits('end'), awaits('end'))
  await project.qanat('run', '--detach', 'it', ...twice)
  await project.when(1, run => run.groups.running === 1)
  const copy = copyOf(project)
  for (const words of touching) {
    const { code, stderr } = await copy.qanat(...words)
    expect([words, code]).toEqual([words, words[0] === 'cache' ? 0 : 1])
    if (code === 1) expect(stderr).toContain(`run 1 belongs to the project in ${project.path}: `)
  }
  expect((await copy.qanat('why', '1')).stdout).toContain(`belongs to the project in ${project.path}: `)
  // Its end is not known there, even if a process of it were to end.
  expect(await copy.show()).toMatchObject({ groups: { running: 1, pending: 1 } })
  expect((await copy.json('run_cancel', '1', '--give_up', '--json')).groups).toMatchObject({ lost: 2 })
  expect((await copy.qanat('run_retry', '--detach', '1')).code).toBe(0)
  await copy.when(1, run => run.groups.running === 1)
  expect((await copy.json('run_cancel', '1', '--json')).groups).toMatchObject({ cancelled: 2 })
  expect((await copy.qanat('run_delete', '1', '--yes')).code).toBe(0)
  expect(await project.show()).toMatchObject({ groups: { running: 1, pending: 1 } })
  open(project, 'end')
  expect((await project.qanat('run_wait', '1')).code).toBe(0)
})

test('groups that end after their project was copied are not lost in the copy', async () => {
  const project = await shellProject()
  await project.qanat('run', '--detach', 'it', ...groups(awaits('end'), 'true'))
  await project.when(1, run => run.groups.running === 1)
  const copy = copyOf(project)
  open(project, 'end')
  expect((await project.qanat('run_wait', '1')).code).toBe(0)
  expect(await copy.show()).toMatchObject({ groups: { running: 1, pending: 1 } })
  for (const [command = '', ...options] of [['run_wait'], ['run_logs', '--follow']]) {
    const { code, stderr } = await copy.qanat(command, '1', ...options)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`qanat ${command} 1        in ${project.path}\n`)])
  }
})

test.each([
  ['that has no results', (copy: Folder) => rmSync(join(copy.path, 'results'), { recursive: true })],
  ['of a run that an earlier version launched', forgetRoot],
])('a live run goes on when it is cancelled in a copy %s', async (_, change) => {
  const project = await shellProject()
  await project.qanat('run', '--detach', 'it', ...groups(awaits('end'), 'true'))
  await project.when(1, run => run.groups.running === 1)
  const copy = copyOf(project)
  change(copy)
  const { code, stderr } = await copy.qanat('run_cancel', '1')
  expect([code, stderr]).toEqual([1, expect.stringContaining(`qanat run_cancel 1        in ${project.path}\n`)])
  open(project, 'end')
  expect((await project.qanat('run_wait', '1')).code).toBe(0)
})

test('a live run goes on when its project was moved away after a copy, in which it is cancelled', async () => {
  const project = await shellProject()
  await project.qanat('run', '--detach', 'it', ...groups(`${tells('a')}; exec tail -f /dev/null`, 'true'))
  const group = await processCalled(project, 'a')
  await project.when(1, run => run.groups.running === 1)
  const copy = copyOf(project)
  const elsewhere = new Folder()
  const moved = join(elsewhere.path, 'moved')
  renameSync(project.path, moved)
  const { code, stderr } = await copy.qanat('run_cancel', '1')
  expect([code, stderr]).toEqual([1, expect.stringContaining(`qanat run_cancel 1        in ${moved}\n`)])
  expect(lives(group)).toBe(true)
  expect((await elsewhere.qanatIn('moved', 'run_cancel', '1')).code).toBe(0)
  expect(lives(group)).toBe(false)
})

test('a copy counts as the project if that has gone, also if another project was made in its place', async () => {
  const project = await shellProject()
  await project.qanat('run', '--detach', 'it', ...groups(`${tells('a')}; exec tail -f /dev/null`, 'true'))
  await project.when(1, run => run.groups.running === 1)
  const copy = copyOf(project)
  await project.qanat('run_cancel', '1')
  const other = await shellProject()
  rmSync(project.path, { recursive: true })
  cpSync(other.path, project.path, { recursive: true })
  expect((await copy.json('run_wait', '1', '--json')).groups).toMatchObject({ lost: 2 })
  expect((await copy.qanat('run_retry', '--detach', '1')).code).toBe(0)
  expect((await copy.json('run_cancel', '1', '--json')).groups).toMatchObject({ cancelled: 2 })
})

test('the jobs of a run are cancelled from its project, not from a copy of it, also if its results are gone there', async () => {
  const slurm = await FakeSlurm.start()
  await slurm.launch('exit 0')
  slurm.queue('RUNNING')
  expect((await slurm.group()).status).toBe('running')
  const copy = copyOf(slurm.folder)
  // As where their disk is not mounted now.
  const [results, unmounted] = ['results', '.qanat/unmounted'].map(path => join(slurm.folder.path, path))
  renameSync(results!, unmounted!)
  expect(await copy.qanat('run_cancel', '1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('counts as a copy of'),
  })
  expect(slurm.folder.has('.qanat/slurm_cancelled')).toBe(false)
  expect((await copy.show()).group_list).toMatchObject([{ status: 'running' }])
  renameSync(unmounted!, results!)
  await slurm.folder.qanat('run_cancel', '1')
  expect(slurm.folder.has('.qanat/slurm_cancelled')).toBe(true)
})

test('the worktrees of a repository stay its own after launches and a cleaned cache in a copy of it', async () => {
  const project = await shellProject()
  await project.qanat('run', 'it', ...groups('true', 'exit 3'))
  const own = new Folder()
  project.git('worktree', 'add', '--quiet', '--detach', join(own.path, 'own'))
  const worktrees = () => {
    const listed = project.git('worktree', 'list', '--porcelain')
    const folders = [...listed.matchAll(/^worktree (.*)/gm)].map(([, folder]) => folder!)
    const statusOf = (cwd: string) => execFileSync('git', ['rev-parse', '--git-dir'], { cwd, encoding: 'utf8' })
    return [listed, ...folders.map(statusOf)]
  }
  const before = worktrees()
  const copy = copyOf(project)
  await copy.qanat('run_retry', '1')
  expect(worktrees()).toEqual(before)
  const [name] = copy.copies()
  expect(copy.git('worktree', 'list', '--porcelain')).toContain(`worktree ${copy.path}/.qanat/cache/${name}\n`)
  copy.write('changed.txt', '')
  copy.commit()
  expect((await copy.qanat('run', 'it', ...groups('true', 'true'))).code).toBe(0)
  expect((await copy.qanat('cache', 'clean')).code).toBe(0)
  expect(copy.copies()).toEqual([])
  expect(copy.git('worktree', 'list')).not.toContain('.qanat/cache')
  expect(worktrees()).toEqual(before)
})

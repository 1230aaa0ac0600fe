import { cpSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
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

function moveAway(project: Folder): void {
  renameSync(project.path, join(new Folder().path, 'moved'))
}

/** A project with a run of two groups, of which the first one runs until it is killed or the gate `end` opens. */
async function liveProject(code = awaits('end')): Promise<{ project: Folder; group: number }> {
  const project = await shellProject()
  await project.qanat('run', '--detach', 'it', ...groups(`${tells('a')}; ${code}`, 'true'))
  const group = await processCalled(project, 'a')
  await project.when(1, run => run.groups.running === 1)
  return { project, group }
}

const forever = 'exec tail -f /dev/null'
const unchanged = { groups: { running: 1, pending: 1 } }

/** All that could end or change a run, or would wait for its end. */
async function leavesAlone(copy: Folder, original: string): Promise<void> {
  for (const line of ['run_cancel 1', 'run_delete 1 --yes', 'run_retry 1', 'run_wait 1', 'run_logs 1 --follow']) {
    const { code, stderr } = await copy.qanat(...line.split(' '))
    const refusal = `run 1 belongs to the project in ${original}: `
    expect([line, code, stderr]).toEqual([line, 1, expect.stringContaining(refusal)])
    expect(stderr).toContain('qanat run_cancel 1 --give_up ')
  }
  expect((await copy.qanat('why', '1')).stdout).toContain(`belongs to the project in ${original}: `)
  expect((await copy.qanat('cache', 'clean')).code).toBe(0)
  expect(await copy.show()).toMatchObject(unchanged)
}

test.each<[string, (original: Folder) => Promise<unknown> | unknown]>([
  ['was used meanwhile', original => original.qanat('run', 'it', 'true')],
  ['was moved away, or is on a disk that is not mounted now', moveAway],
  [
    'was replaced by another project',
    async original => {
      moveAway(original)
      cpSync((await shellProject()).path, original.path, { recursive: true })
    },
  ],
])('a live run goes on whatever is done in a copy of its project, if that %s', async (_, change) => {
  const { project, group } = await liveProject(forever)
  const copy = copyOf(project)
  await change(project)
  await leavesAlone(copy, project.path)
  expect(lives(group)).toBe(true)
})

test('a copy gives up the runs of the original, and has runs of its own', async () => {
  const { project } = await liveProject()
  const copy = copyOf(project)
  expect((await copy.json('run_cancel', '1', '--give_up', '--json')).groups).toMatchObject({ lost: 2 })
  expect((await copy.qanat('run_retry', '--detach', '1')).code).toBe(0)
  await copy.when(1, run => run.groups.running === 1)
  expect((await copy.json('run_cancel', '1', '--json')).groups).toMatchObject({ cancelled: 2 })
  expect((await copy.qanat('run_delete', '1', '--yes')).code).toBe(0)
  expect(await project.show()).toMatchObject(unchanged)
  open(project, 'end')
  expect((await project.qanat('run_wait', '1')).code).toBe(0)
})

test('ends that were recorded before a project was copied count in the copy, and later ones do not', async () => {
  const project = await shellProject()
  await project.qanat('run', '--detach', 'it', ...groups('true', awaits('end'), 'true'))
  await project.when(1, run => run.groups.running === 1 && run.groups.finished === 1)
  const copy = copyOf(project)
  expect(await copy.show()).toMatchObject({ groups: { finished: 1, running: 1, pending: 1 } })
  open(project, 'end')
  expect((await project.qanat('run_wait', '1')).code).toBe(0)
  expect(await copy.show()).toMatchObject({ groups: { finished: 1, running: 1, pending: 1 } })
  const later = copyOf(project)
  expect(await later.show()).toMatchObject({ status: 'finished' })
  expect((await later.qanat('run_logs', '1.1')).code).toBe(0)
})

test('each run of a copy of a copy belongs to the project that launched it, also after its database was lost', async () => {
  const { project } = await liveProject()
  const copy = copyOf(project)
  await copy.qanat('run', '--detach', 'it', ...groups(`${tells('b')}; ${forever}`, 'true'))
  const own = await processCalled(copy, 'b')
  await copy.when(2, run => run.groups.running === 1)
  const second = copyOf(copy)
  for (const folder of [second, copy]) {
    rmSync(join(folder.path, '.qanat/database.db'))
    expect((await folder.qanat('doctor', '--repair')).code).toBe(0)
  }
  for (const [folder, id, owner] of [
    [second, '1', project],
    [second, '2', copy],
    [copy, '1', project],
  ] as const) {
    const stderr = expect.stringContaining(`belongs to the project in ${owner.path}: `)
    expect(await folder.qanat('run_cancel', id)).toMatchObject({ code: 1, stderr })
  }
  expect(await project.show()).toMatchObject(unchanged)
  expect((await copy.qanat('run_cancel', '2')).code).toBe(0)
  expect(lives(own)).toBe(false)
})

test('the jobs of a run are cancelled from its project, not from a copy of it', async () => {
  const slurm = await FakeSlurm.launched('exit 0')
  expect((await slurm.says('RUNNING')).status).toBe('running')
  const copy = copyOf(slurm.folder)
  const stderr = expect.stringContaining('counts as a copy of')
  expect(await copy.qanat('run_cancel', '1')).toMatchObject({ code: 1, stderr })
  expect(slurm.cancelled()).toEqual([])
  expect((await copy.show()).group_list).toMatchObject([{ status: 'running' }])
  await slurm.folder.qanat('run_cancel', '1')
  expect(slurm.cancelled()).toEqual(['77'])
})

test('the worktrees of a repository stay its own after launches and a cleaned cache in a copy of it', async () => {
  const project = await shellProject()
  await project.qanat('run', 'it', ...groups('true', 'exit 3'))
  const own = new Folder()
  project.git('worktree', 'add', '--quiet', '--detach', join(own.path, 'own'))
  const worktrees = () => {
    const listed = project.git('worktree', 'list', '--porcelain')
    const folders = [...listed.matchAll(/^worktree (.*)/gm)].map(([, folder]) => folder!)
    return [listed, ...folders.map(folder => project.git('-C', folder, 'rev-parse', '--git-dir'))]
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

import { execFileSync } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openWorkspace } from '../../../src/cli/context.js'
import { retryRun } from '../../../src/operations/launch/retry-run.js'
import { deleteRun } from '../../../src/operations/runs/delete-run.js'
import { expectError } from '../expectations.js'
import { outcomeOf } from '../program.js'
import { awaits, type Folder, groups, open, program, shellProject, until } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'

async function withLiveRun(): Promise<Folder> {
  const folder = await shellProject({ PAGER: 'cat', NO_COLOR: '1' })
  await folder.qanat('run', '--detach', 'it', `echo begun; ${awaits('end')}`)
  await folder.whenStatus(1, 'running')
  return folder
}

describe.each([
  ['moved to the trash', 'UPDATE runs SET deleted = 1 WHERE id = 1'],
  ['removed for good', 'DELETE FROM runs WHERE id = 1'],
])('a run that another command has %s', (_, way) => {
  const remove = (folder: Folder) =>
    folder.inDatabase(database => database.pragma('foreign_keys = ON') && database.exec(way))

  test.each([
    ['run_wait', 'it', '1'],
    ['run_logs', 'it', '1', '--follow'],
  ])('ends %s with a message', async (...words) => {
    const folder = await withLiveRun()
    const lastLook = () =>
      folder.inDatabase(database => database.prepare('SELECT as_of FROM runs WHERE id = 1').pluck().get())
    const before = lastLook()
    const end = outcomeOf(folder.start(words))
    await until(() => lastLook() !== before)
    remove(folder)
    expectError({ ...(await end), stdout: '' }, 2, 'run 1 was deleted in the meantime', 'qanat runs')
    open(folder, 'end')
  })

  test.skipIf(!hasTerminal)('vanishes from --live, which keeps running', async () => {
    const folder = await withLiveRun()
    await folder.qanat('run', '--detach', 'it', awaits('other'))
    const screen = new Screen(folder, 'qanat experiment status it --live')
    await screen.shows('2    running', '1    running')
    remove(folder)
    await until(() => !screen.text().includes('1    running'))
    open(folder, 'other')
    await screen.shows('finished')
    open(folder, 'end')
  })

  test.skipIf(!hasTerminal)('makes run_explore go back to the list without it', async () => {
    const folder = await withLiveRun()
    await folder.qanat('run', 'it', 'echo other')
    const screen = new Screen(folder, 'qanat run_explore it')
    await screen.shows('1    running')
    await screen.press('Enter', 'Run 1 of experiment it')
    remove(folder)
    await screen.shows('it · 1 run', '2    finished', 'run 1 was deleted in the meantime')
    open(folder, 'end')
    await screen.press('Enter', 'Run 2 of experiment it')
  })
})

/** The workspace of a project, and its run 1 as it is now. */
async function opened({ path }: Folder) {
  const workspace = await openWorkspace(path)
  onTestFinished(() => workspace.store.close())
  return { workspace, store: workspace.store, run: workspace.store.runs.get(1) }
}

test('a run that another command deletes is not retried, and can be restored', async () => {
  const folder = await shellProject()
  await folder.qanat('run', 'it', ...groups('exit 3', 'exit 3'))
  await folder.qanat('config', 'set', 'confirm_above', '1')
  const { workspace, run } = await opened(folder)
  const many = async () => (await folder.qanat('run_delete', '1', '--yes')).code === 0
  const everything = { only: null, submitTemplate: null, resume: false }
  const retry = retryRun(workspace, run, everything, { many }, new AbortController().signal)
  await expect(retry).rejects.toThrow('run 1 was deleted in the meantime')
  expect(folder.list('results/it')).toEqual([])
  expect((await folder.qanat('trash', 'restore', '1')).code).toBe(0)
  expect(await folder.states()).toEqual(['failed exit 3', 'failed exit 3'])
})

test('a run that another command launches again is not deleted', async () => {
  const folder = await shellProject()
  await folder.qanat('run', 'it', `[ -e "$QANAT_PROJECT/.qanat/again" ] || exit 3; ${awaits('end')}`)
  folder.write('.qanat/again', '')
  const { workspace, store, run } = await opened(folder)
  const { transaction } = store
  // The next transaction is late.
  store.transaction = <Result>(inside: () => Result) => {
    store.transaction = transaction
    const command = [program, 'run_retry', '--detach', '1']
    execFileSync(process.execPath, command, { cwd: folder.path, env: folder.environment })
    return store.transaction(inside)
  }
  await expect(deleteRun(workspace, run)).rejects.toThrow('run 1 was launched again in the meantime')
  open(folder, 'end')
  expect((await folder.qanat('run_wait', '1')).code).toBe(0)
  expect(folder.has('results/it/run_1/stdout.txt')).toBe(true)
})

test('a run that two commands delete at once is deleted by one of them, and stays in the trash', async () => {
  const folder = await shellProject()
  await folder.qanat('run', 'it', 'true')
  const { workspace, store, run } = await opened(folder)
  const outcomes = await Promise.allSettled([deleteRun(workspace, run), deleteRun(workspace, run)])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const refused = outcomes.find(({ status }) => status === 'rejected')
  expect(refused).toMatchObject({ reason: { message: 'run 1 was deleted in the meantime' } })
  expect(store.runs.deleted().map(({ id }) => id)).toEqual([1])
  expect([folder.has('results/it/run_1'), folder.has('results/.trash/run_1')]).toEqual([false, true])
})

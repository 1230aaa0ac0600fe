import { execFileSync } from 'node:child_process'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openWorkspace } from '../../../src/cli/context.js'
import { retryRun } from '../../../src/operations/launch/retry-run.js'
import { deleteRun } from '../../../src/operations/runs/delete-run.js'
import type { Workspace } from '../../../src/operations/workspace.js'
import { expectError } from '../expectations.js'
import { outcomeOf } from '../program.js'
import { awaits, type Folder, groups, open, program, shellProject, until } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'

/** What another command does to run 1 between two looks: it is in the trash then, or gone for good. */
const ways = ['UPDATE runs SET deleted = 1 WHERE id = 1', 'DELETE FROM runs WHERE id = 1']

function inDatabase<Result>(folder: Folder, work: (database: Database.Database) => Result): Result {
  const database = new Database(`${folder.path}/.qanat/database.db`)
  try {
    database.pragma('foreign_keys = ON')
    return work(database)
  } finally {
    database.close()
  }
}

const remove = (folder: Folder, way: string) => inDatabase(folder, database => database.exec(way))

/** When run 1 was looked at last. */
const lastLook = (folder: Folder) =>
  inDatabase(folder, database => database.prepare('SELECT as_of FROM runs WHERE id = 1').pluck().get())

async function withLiveRun(): Promise<Folder> {
  const folder = await shellProject({ PAGER: 'cat', NO_COLOR: '1' })
  await folder.qanat('run', '--detach', 'it', `echo begun; ${awaits('end')}`)
  await folder.whenStatus(1, 'running')
  return folder
}

describe.each(ways)('a run that another command deletes (%s)', way => {
  test.each([
    ['run_wait', 'it', '1'],
    ['run_logs', 'it', '1', '--follow'],
  ])('ends %s with a message', async (...words) => {
    const folder = await withLiveRun()
    const before = lastLook(folder)
    const end = outcomeOf(folder.start(words))
    await until(() => lastLook(folder) !== before)
    remove(folder, way)
    const { stdout, ...outcome } = await end
    expectError({ ...outcome, stdout: '' }, 2, 'run 1 was deleted in the meantime', 'qanat runs')
    open(folder, 'end')
  })

  test.skipIf(!hasTerminal)('vanishes from --live, which keeps running', async () => {
    const folder = await withLiveRun()
    await folder.qanat('run', '--detach', 'it', awaits('other'))
    const screen = new Screen(folder, 'qanat experiment status it --live')
    await screen.shows('run_2', 'run_1')
    remove(folder, way)
    await until(() => !screen.text().includes('run_1'))
    open(folder, 'other')
    await screen.shows('finished')
    open(folder, 'end')
  })

  test.skipIf(!hasTerminal)('makes run_explore go back to the list without it', async () => {
    const folder = await withLiveRun()
    await folder.qanat('run', 'it', 'echo other')
    const screen = new Screen(folder, 'qanat run_explore it')
    await screen.shows('1    running')
    screen.press('Enter')
    await screen.shows('Run 1 of experiment it')
    remove(folder, way)
    await screen.shows('it · 1 run', '2    finished', 'run 1 was deleted in the meantime')
    open(folder, 'end')
    screen.press('Enter')
    await screen.shows('Run 2 of experiment it')
  })
})

/** Does something just before the next transaction of a workspace, as another command may. */
function beforeNextTransaction({ store }: Workspace, work: () => void): void {
  const transaction = store.transaction
  store.transaction = <Result>(inside: () => Result) => {
    store.transaction = transaction
    work()
    return store.transaction(inside)
  }
}

const everything = { only: null, submitTemplate: null, resume: false }

test('a run that another command deletes is not retried, and can be restored', async () => {
  const folder = await shellProject()
  await folder.qanat('run', 'it', ...groups('exit 3', 'exit 3'))
  await folder.qanat('config', 'set', 'confirm_above', '1')
  const workspace = openWorkspace(folder.path)
  try {
    const many = async () => (await folder.qanat('run_delete', '1', '--yes')).code === 0
    const retry = retryRun(workspace, workspace.store.runs.get(1), everything, { many }, new AbortController().signal)
    await expect(retry).rejects.toThrow('run 1 was deleted in the meantime')
  } finally {
    workspace.store.close()
  }
  expect(folder.list('results/it')).toEqual([])
  expect((await folder.qanat('trash', 'restore', '1')).code).toBe(0)
  expect(await folder.show()).toMatchObject({ status: 'failed', groups: { failed: 2 } })
})

test('a run that another command launches again is not deleted', async () => {
  const folder = await shellProject()
  await folder.qanat('run', 'it', `[ -e "$QANAT_PROJECT/.qanat/again" ] || exit 3; ${awaits('end')}`)
  folder.write('.qanat/again', '')
  const workspace = openWorkspace(folder.path)
  try {
    const run = workspace.store.runs.get(1)
    beforeNextTransaction(workspace, () => {
      execFileSync(process.execPath, [program, 'run_retry', '--detach', '1'], {
        cwd: folder.path,
        env: folder.environment,
      })
    })
    await expect(deleteRun(workspace, run)).rejects.toThrow('run 1 was launched again in the meantime')
  } finally {
    workspace.store.close()
  }
  open(folder, 'end')
  expect((await folder.qanat('run_wait', '1')).code).toBe(0)
  expect(folder.has('results/it/run_1/stdout.txt')).toBe(true)
})

test('a run that two commands delete at once is deleted by one of them, and stays in the trash', async () => {
  const folder = await shellProject()
  await folder.qanat('run', 'it', 'true')
  const workspace = openWorkspace(folder.path)
  try {
    const run = workspace.store.runs.get(1)
    const outcomes = await Promise.allSettled([deleteRun(workspace, run), deleteRun(workspace, run)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: 'run 1 was deleted in the meantime' },
    })
    expect(workspace.store.runs.deleted().map(({ id }) => id)).toEqual([1])
  } finally {
    workspace.store.close()
  }
  expect([folder.has('results/it/run_1'), folder.has('results/.trash/run_1')]).toEqual([false, true])
})

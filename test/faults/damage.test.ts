import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { expectError } from '../e2e/expectations.js'
import { Folder, type Outcome } from '../e2e/project.js'
import { lacksMounts, skips } from '../skips.js'
import { enter, goesOn, leavesNothing, projectIn, settled, tellsTheTruth } from './killed/crash.js'

let commands = 0
afterAll(() => void process.stdout.write(`damage: ${commands} commands in damaged projects\n`))

const reading = [
  ['status'],
  ['runs'],
  ['cache', 'status'],
  ['experiment', 'status', 'it'],
  ['run_show', 'it', '1'],
  ['why', 'it', '2'],
]

/** A project with a run that has finished and one that has failed, both of two groups in frozen code. */
async function projectWithRuns(): Promise<Folder> {
  const folder = await projectIn('works')
  expect((await folder.qanat('run', 'it', '-R', '--n 0 2 1')).code).toBe(0)
  enter(folder, 'fails')
  expect((await folder.qanat('run', 'it', '-R', '--n 0 2 1')).code).toBe(1)
  return folder
}

/** Every command that only reads does well. */
async function canBeRead(folder: Folder): Promise<void> {
  for (const args of reading) {
    commands++
    const { code, stderr } = await folder.qanat(...args)
    expect([args, code, stderr]).toEqual([args, 0, ''])
  }
}

/** It did well, or said in one error what to type. */
function isClear(outcome: Outcome): void {
  commands++
  expect(outcome.stderr).not.toMatch(/QANAT_DEBUG|^ {4}at /m)
  if (outcome.code !== 0) expectError(outcome, outcome.code ?? -1)
}

describe('a project works', () => {
  test('whose description files were deleted', async () => {
    const folder = await projectWithRuns()
    for (const name of ['run_1/info.yaml', 'run_2/info.yaml', 'run_2/group_0/group_info.yaml']) {
      rmSync(join(folder.path, 'results/it', name))
    }
    await canBeRead(folder)
    enter(folder, 'works')
    expect((await folder.qanat('run_retry', 'it', '2')).code).toBe(0)
    expect(folder.has('results/it/run_2/group_0/group_info.yaml')).toBe(true)
    await leavesNothing(folder)
  })

  test.each(['results/it/run_1', 'results'])('whose %s was moved away, and says so', async path => {
    const folder = await projectWithRuns()
    renameSync(join(folder.path, path), join(folder.path, '.git/moved'))
    await canBeRead(folder)
    const logs = await folder.qanat('run_logs', 'it', '1')
    expectError(logs, 2, 'the folder of run 1 is gone: results/it/run_1', 'qanat rerun 1')
    await goesOnAfterwards(folder)
  })

  test('that was moved as a whole, with its frozen code', async () => {
    const folder = await projectWithRuns()
    const moved = new Folder()
    rmSync(moved.path, { recursive: true })
    renameSync(folder.path, moved.path)
    mkdirSync(folder.path)
    await canBeRead(moved)
    await goesOnAfterwards(moved)
  })

  test('that was copied as a whole, and whose original was removed', async () => {
    const folder = await projectWithRuns()
    const copy = new Folder()
    cpSync(folder.path, copy.path, { recursive: true, verbatimSymlinks: true })
    rmSync(folder.path, { recursive: true })
    await canBeRead(copy)
    await goesOnAfterwards(copy)
  })
})

/** What failed is retried, what finished is run again, and all of it can be removed. */
async function goesOnAfterwards(folder: Folder): Promise<void> {
  enter(folder, 'works')
  for (const args of [
    ['run_retry', 'it', '2'],
    ['rerun', 'it', '1'],
    ['run', 'it', '-R', '--n 0 2 1'],
  ]) {
    commands++
    const { code, stderr } = await folder.qanat(...args)
    expect([args, code, stderr]).toEqual([args, 0, ''])
  }
  tellsTheTruth(folder, await settled(folder))
  await leavesNothing(folder)
}

describe('a file that was cut off', () => {
  test('is reported as damaged, at any length, if it is the database', async () => {
    const folder = await projectWithRuns()
    const file = join(folder.path, '.qanat/database.db')
    const { size } = statSync(file)
    cpSync(file, `${file}.whole`)
    for (const length of [0, 1, 99, 100, 1000, 4096, 5000, size / 2]) {
      cpSync(`${file}.whole`, file)
      truncateSync(file, length)
      for (const args of [['status'], ['run_show', 'it', '1'], ['run', 'it']]) {
        const outcome = await folder.qanat(...args)
        commands++
        expectError(outcome, 1, `${file} is damaged`, "'qanat doctor' says what is wrong")
      }
    }
    // Of the last pages SQLite may need none.
    for (const length of [size - 4096, size - 1]) {
      cpSync(`${file}.whole`, file)
      truncateSync(file, length)
      for (const args of reading) isClear(await folder.qanat(...args))
    }
    cpSync(`${file}.whole`, file)
    await goesOn(folder)
  })

  test('does no harm, or is reported with its line, if it is the config', async () => {
    const folder = await projectIn('works')
    folder.write(
      '.qanat/config.yaml',
      'result_dir: "results"\npoll_interval: 30\nlocal:\n  default: { env: { A: "b" } }\n',
    )
    folder.commit()
    const text = folder.read('.qanat/config.yaml')
    for (let length = 0; length < text.length; length += 4) {
      folder.write('.qanat/config.yaml', text.slice(0, length))
      isClear(await folder.qanat('status'))
    }
  })
})

describe('a project that cannot be written', () => {
  test.skipIf(skips('a read-only disk', lacksMounts()))(
    'can be read, and whatever writes says what is in the way',
    async () => {
      const folder = await projectWithRuns()
      execFileSync('mount', ['--bind', folder.path, folder.path])
      execFileSync('mount', ['-o', 'remount,ro,bind', folder.path])
      onTestFinished(() => void execFileSync('umount', ['--lazy', folder.path]))
      await canBeRead(folder)
      for (const args of [
        ['run', 'it'],
        ['run', 'it', '-R', '--n 0 2 1'],
        ['run_retry', 'it', '2'],
        ['run_tag', 'it', '1', '+a'],
        ['run_comment', 'it', '1', '-m', 'x'],
        ['run_delete', 'it', '1', '--yes'],
        ['cache', 'clean'],
        ['config', 'set', 'poll_interval', '5'],
      ]) {
        commands++
        const outcome = await folder.qanat(...args)
        expectError(outcome, 1)
        expect([args, outcome.stderr]).toEqual([args, expect.stringMatching(/cannot be (written|used)/)])
      }
    },
  )
})

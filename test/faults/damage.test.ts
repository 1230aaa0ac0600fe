import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { expectError } from '../e2e/expectations.js'
import { madeOnce } from '../e2e/made-once.js'
import { Folder, type Outcome } from '../e2e/project.js'
import { lacksMounts, skips } from '../skips.js'
import { does, enter, goesOn, leavesNothing, projectIn, settled, tellsTheTruth } from './killed/crash.js'

let commands = 0
afterAll(() => void process.stdout.write(`damage: ${commands} commands in damaged projects\n`))

const reading = ['status', 'runs', 'cache status', 'experiment status it', 'run_show it 1', 'why it 2']
const grid = ['it', '-R', '--n 0 2 1']

/** A project with a run that has finished and one that has failed, both of two groups in frozen code. */
const projectWithRuns = madeOnce(async () => {
  const folder = await projectIn('works')
  await does(folder, 'run', ...grid)
  enter(folder, 'fails')
  expect((await folder.qanat('run', ...grid)).code).toBe(1)
  return folder
})

/** Commands that do well. */
async function goWell(folder: Folder, lines: readonly string[]): Promise<void> {
  for (const line of lines) await does(folder, ...line.split(' '))
  commands += lines.length
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
    await goWell(folder, reading)
    enter(folder, 'works')
    await goWell(folder, ['run_retry it 2'])
    expect(folder.has('results/it/run_2/group_0/group_info.yaml')).toBe(true)
    await leavesNothing(folder)
  })

  test.each(['results/it/run_1', 'results'])('whose %s was moved away, and says so', async path => {
    const folder = await projectWithRuns()
    renameSync(join(folder.path, path), join(folder.path, '.git/moved'))
    await goWell(folder, reading)
    const logs = await folder.qanat('run_logs', 'it', '1')
    expectError(logs, 2, 'the folder of run 1 is gone: results/it/run_1', 'qanat rerun 1')
    await goesOnAfterwards(folder)
  })

  test.each([
    ['moved as a whole, with its frozen code', renameSync],
    [
      'copied as a whole, and whose original was removed',
      (from: string, to: string) => {
        cpSync(from, to, { recursive: true, verbatimSymlinks: true })
        rmSync(from, { recursive: true })
      },
    ],
  ])('that was %s', async (_, move) => {
    const [folder, other] = [await projectWithRuns(), new Folder()]
    rmSync(other.path, { recursive: true })
    move(folder.path, other.path)
    mkdirSync(folder.path)
    await goWell(other, reading)
    await goesOnAfterwards(other)
  })
})

/** What failed is retried, what finished is run again, and all of it can be removed. */
async function goesOnAfterwards(folder: Folder): Promise<void> {
  enter(folder, 'works')
  await goWell(folder, ['run_retry it 2', 'rerun it 1'])
  await does(folder, 'run', ...grid)
  tellsTheTruth(folder, await settled(folder))
  await leavesNothing(folder)
}

describe('a file that was cut off', () => {
  test('is reported as damaged, at any length, if it is the database', async () => {
    const folder = await projectWithRuns()
    const file = join(folder.path, '.qanat/database.db')
    const { size } = statSync(file)
    cpSync(file, `${file}.whole`)
    const cut = (length: number) => {
      cpSync(`${file}.whole`, file)
      truncateSync(file, length)
    }
    for (const length of [0, 1, 99, 100, 1000, 4096, 5000, size / 2]) {
      cut(length)
      for (const line of ['status', 'run_show it 1', 'run it']) {
        const outcome = await folder.qanat(...line.split(' '))
        commands++
        expectError(outcome, 1, `${file} is damaged`, "'qanat doctor' says what is wrong")
      }
    }
    // Of the last pages SQLite may need none.
    for (const length of [size - 4096, size - 1]) {
      cut(length)
      for (const line of reading) isClear(await folder.qanat(...line.split(' ')))
    }
    cut(size)
    await goesOn(folder)
  })

  test('does no harm, or is reported with its line, if it is the config', async () => {
    const folder = await projectIn('works')
    const text = 'result_dir: "results"\npoll_interval: 30\nlocal:\n  default: { env: { A: "b" } }\n'
    for (let length = 0; length < text.length; length += 4) {
      folder.write('.qanat/config.yaml', text.slice(0, length))
      isClear(await folder.qanat('status'))
    }
  })
})

test.skipIf(skips('a read-only disk', lacksMounts()))(
  'a project that cannot be written can be read, and whatever writes says what is in the way',
  async () => {
    const folder = await projectWithRuns()
    execFileSync('mount', ['--bind', folder.path, folder.path])
    execFileSync('mount', ['-o', 'remount,ro,bind', folder.path])
    onTestFinished(() => void execFileSync('umount', ['--lazy', folder.path]))
    await goWell(folder, reading)
    for (const line of [
      ...['run it', 'run it -g 1 -g 2', 'run_retry it 2', 'run_tag it 1 +a', 'run_comment it 1 -m x'],
      ...['run_delete it 1 --yes', 'cache clean', 'config set poll_interval 5'],
    ]) {
      commands++
      const outcome = await folder.qanat(...line.split(' '))
      expectError(outcome, 1)
      expect([line, outcome.stderr]).toEqual([line, expect.stringMatching(/cannot be (written|used)/)])
    }
  },
)

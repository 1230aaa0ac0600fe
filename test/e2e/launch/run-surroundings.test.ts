import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skips } from '../../skips.js'
import { expectError } from '../expectations.js'
import { ordinaryUser, qanatAsOrdinaryUser } from '../ordinary-user.js'
import { Folder, shellProject } from '../project.js'

const isRoot = process.getuid!() === 0
const noOtherUser = skips('a rerun of the run of another user', isRoot ? null : 'only root can become another user')

/** Gives a folder to whom the permissions hold back. Unlike a recursive list of Node.js 20, this follows no links. */
function giveAway(path: string): void {
  if (isRoot) execFileSync('chown', ['-hR', `${ordinaryUser.uid}:${ordinaryUser.gid}`, path])
}

test.skipIf(noOtherUser)('a rerun says whose file it is that holds the variables', async () => {
  const folder = await shellProject()
  await folder.qanat('config', 'set', 'local.default.env.VOLUME', 'high')
  await folder.qanat('run', 'it', 'true')
  const settings = 'results/it/run_1/.run/settings.sh'
  giveAway(folder.path)
  chownSync(join(folder.path, settings), 0, 0)
  const outcome = await qanatAsOrdinaryUser(folder, '.', 'rerun', '1')
  const told = `${settings} belongs to user 0, who alone can read it`
  expectError(outcome, 2, 'VOLUME', told, 'qanat rerun 1 --submit_template default')
})

test('a folder above the project that nobody may list only costs ../NAME, and the launch says what to type', async () => {
  const { path } = await shellProject()
  const folder = new Folder()
  folder.write('data/x', 'beside\n')
  cpSync(path, join(folder.path, 'study'), { recursive: true })
  giveAway(join(folder.path, 'study'))
  const run = (file: string) =>
    qanatAsOrdinaryUser(folder, 'study', 'run', 'it', 'cat "$2"', file, '-R', '--seed 0 2 1')
  chmodSync(folder.path, 0o311)
  const outcomes = [await run('../data/x'), await run(`${folder.path}/data/x`)]
  chmodSync(folder.path, 0o711)
  const told = `type the absolute ones instead: ../data/x → ${folder.path}/data/x\n`
  expect(outcomes[0]).toMatchObject({ code: 1, stderr: expect.stringContaining(told) })
  expect(outcomes[1]).toMatchObject({ code: 0, stderr: '' })
  expect(folder.read('study/results/it/run_2/group_1/stdout.txt')).toBe('beside\n')
})

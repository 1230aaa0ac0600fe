import { expect, onTestFinished, test, vi } from 'vitest'
import { openGit } from '../../src/code/git.js'
import { folderWith } from '../project/temporary.js'
import { pathWith } from '../runners/run-folder.js'

/** Git with these variables around it. */
function gitWith(variables: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  return openGit(folderWith())
}

test('output of git that arrives after its end, as on a busy machine, is not lost', async () => {
  const git = await gitWith(pathWith({ git: `(sleep 0.3; PATH=${process.env.PATH} exec git "$@") & exit 0` }))
  expect(await git.run('version')).toMatch(/^git version/)
})

/** As a job of a CI system or a container of a cluster sets them. */
test.each([
  ['url.https://token@example.org/.insteadOf', 'https://example.org/'],
  ['protocol.file.allow', 'always'],
  ['credential.helper', 'store'],
  ['include.path', '/nowhere'],
  ['filter.lfs.clean', 'cat'],
  ['core.fsmonitor', 'false'],
  ['alias.co', 'checkout'],
  ['diff.notebook.textconv', 'cat'],
  ['merge.notebook.driver', 'true'],
  ['gpg.program', 'gpg'],
  ['uploadpack.packObjectsHook', 'true'],
])('a setting of git in the environment is no hindrance: %s', async (key, value) => {
  const git = await gitWith({ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: key, GIT_CONFIG_VALUE_0: value })
  expect((await git.run('config', '--get', key)).trim()).toBe(value)
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openGit } from '../../src/code/git.js'
import { Folder } from '../e2e/project.js'

test('output of git that arrives after its end, as on a busy machine, is not lost', async () => {
  const folder = new Folder()
  const path = process.env.PATH!
  const bin = join(folder.path, 'bin')
  mkdirSync(bin)
  const late = `(sleep 0.3; PATH=${path} exec git "$@") & exit 0`
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${late}\n`, { mode: 0o755 })
  process.env.PATH = `${bin}:${path}`
  onTestFinished(() => {
    process.env.PATH = path
  })
  const git = await openGit(folder.path)
  expect(await git.run('version')).toMatch(/^git version/)
})

/** As a job of a CI system or a container of a cluster sets them. */
const ofEnvironment = [
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
] as const

test.each(ofEnvironment)('a setting of git in the environment is no hindrance: %s', async (key, value) => {
  const folder = new Folder()
  const set = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: key, GIT_CONFIG_VALUE_0: value }
  Object.assign(process.env, set)
  onTestFinished(() => {
    for (const name of Object.keys(set)) delete process.env[name]
  })
  expect((await (await openGit(folder.path)).run('config', '--get', key)).trim()).toBe(value)
})

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

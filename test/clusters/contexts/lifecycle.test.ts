import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { lifecycle } from '../lifecycle.js'
import { noBox } from '../project.js'
import { box, contextProject, withLaptop } from './laptop.js'

/** The git of RHEL 7, as far as a launch asks it. */
const oldGit = `#!/bin/sh
case $1 in version | --version) exec echo git version 1.8.3.1 ;; esac
echo "git: '$1' is not a git command of so long ago" >&2
exit 129
`

describe.skipIf(noBox)('from a laptop', () => {
  const laptop = withLaptop()

  describe.each(['slurm', 'local'])('%s', runner => {
    lifecycle(runner, (script, templates, name) => contextProject(laptop(), script, templates, name))
  })

  describe('to a git that is too old', () => {
    const git = join(box, 'usr/local/bin/git')
    beforeAll(() => {
      writeFileSync(git, oldGit)
      chmodSync(git, 0o755)
    })
    afterAll(() => rmSync(git))
    lifecycle('slurm', async (script, templates, name) => {
      const it = await contextProject(laptop(), script, templates, name)
      const { stdout } = await it.qanat('context', 'test', 'box')
      expect(stdout).toMatch(/git version 1\.8\.3\.1\n.*each commit comes whole/)
      return it
    })
  })
})

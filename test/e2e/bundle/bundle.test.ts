import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultPoints } from '../../../src/system/fault-point.js'
import { shellProject } from '../project.js'
import { openTerminal } from '../terminal.js'

test.each(['qanat', 'lists', 'commands', 'supervisor'])(
  'nothing in %s.cjs knows of the moments at which tests kill the program',
  name => {
    const text = readFileSync(new URL(`../../../dist/${name}.cjs`, import.meta.url), 'utf8')
    expect(text).not.toContain('QANAT_FAULT')
    expect(text).not.toContain('faultPoint(')
    expect(faultPoints.filter(point => new RegExp(`["'\`]${point}["'\`]`).test(text))).toEqual([])
  },
)

test('no environment variable makes the program fail', async () => {
  const project = await shellProject()
  project.environment.QANAT_FAULT = ['run-stored', 'slot-given', 'launch-end']
    .map(point => join(project.path, '.qanat', point))
    .join(',')
  expect((await project.qanat('run', 'it', 'true')).code).toBe(0)
  expect(project.list('.qanat')).not.toContain('run-stored')
})

test('no environment variable makes packages print what is meant for their developers', async () => {
  const project = await shellProject()
  const quiet = await project.qanat('run', 'it', 'true')
  project.environment.DEBUG = '*'
  expect((await project.qanat('doctor')).stderr).toBe('')
  expect(await project.qanat('run', 'it', 'true')).toMatchObject({ code: 0, stderr: quiet.stderr })
})

test('the help of a command is shown on a terminal, as in a pipe', async () => {
  const project = await shellProject()
  project.environment.CI = ''
  const piped = await project.qanat('run', '--help')
  expect(piped.stdout).toContain('USAGE')
  const terminal = openTerminal(project, 'run', '--help')
  expect(await terminal.ended).toBe(0)
  expect(terminal.shown()).toContain('USAGE')
})

test('the program starts beside a script of the user that makes a global module, as those of a debugger do', async () => {
  const project = await shellProject()
  project.write('.qanat/global.cjs', 'globalThis.module = { exports: {} }\n')
  project.environment.NODE_OPTIONS = `--require ${join(project.path, '.qanat/global.cjs')}`
  expect(await project.qanat('experiment', 'list')).toMatchObject({ code: 0, stdout: expect.stringContaining('it') })
})

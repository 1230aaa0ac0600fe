import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faultPoints } from '../../../src/system/fault-point.js'
import { shellProject } from '../project.js'
import { openTerminal } from '../terminal.js'

test.each(['qanat', 'lists', 'commands', 'stop'])(
  'nothing in %s.cjs knows of the moments at which tests kill the program',
  name => {
    const text = readFileSync(new URL(`../../../dist/${name}.cjs`, import.meta.url), 'utf8')
    expect(text).not.toContain('QANAT_FAULT')
    expect(text).not.toContain('faultPoint(')
    expect(faultPoints.filter(point => new RegExp(`["'\`]${point}["'\`]`).test(text))).toEqual([])
  },
)

test('the help of a command is shown on a terminal, as in a pipe', async () => {
  const project = await shellProject()
  project.environment.CI = ''
  const piped = await project.qanat('run', '--help')
  expect(piped.stdout).toContain('USAGE')
  const terminal = openTerminal(project, 'run', '--help')
  expect(await terminal.ended).toBe(0)
  expect(terminal.shown()).toContain('USAGE')
})

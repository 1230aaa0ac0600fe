import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultPoints } from '../../../src/system/fault-point.js'
import { shellProject } from '../project.js'

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

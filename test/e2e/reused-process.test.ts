import { expect, test } from 'vitest'
import { processesStarted } from './program.js'
import { Folder, shellProject } from './project.js'

test('commands of tests share a process of Node, one after another, each with its own words, folder and exit code', async () => {
  const project = await shellProject()
  await project.qanat('run', 'it', 'true')
  const shown = await project.qanat('run_show', '1')
  const before = processesStarted()
  const missing = await project.qanat('run_show', '7')
  const elsewhere = await new Folder().qanat('run_show', '1')
  expect([shown.code, missing.code, elsewhere.code]).toEqual([0, 2, 3])
  expect([shown.stderr, missing.stdout, elsewhere.stdout]).toEqual(['', '', ''])
  expect(shown.stdout).toContain('Path: results/it/run_1\n')
  expect(missing.stderr).toContain('there is no run 7')
  expect(elsewhere.stderr).toContain('not a Qanat project')
  expect(processesStarted()).toBe(before)
})

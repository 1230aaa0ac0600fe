import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lacks, skips } from '../../skips.js'
import { expectError } from '../expectations.js'
import { madeOnce } from '../made-once.js'
import { type Folder, projectWith } from '../project.js'

const project = madeOnce(async () => {
  const folder = await projectWith(`echo "{\\"acc\\": $2}" >"$QANAT_STORAGE_PATH/metrics.json"`)
  await folder.qanat('run', '-V', '--lr 1 10', 'it', '-R', '--seed 0 2 1')
  return folder
})
const plot = ['plot', 'it', '-x', 'lr', '-y', 'acc', '-o']

test.skipIf(skips('PNG and PDF', lacks('rsvg-convert')))('a plot is a picture that holds its command', async () => {
  const folder = await project()
  for (const file of ['a.png', 'a.pdf']) {
    expect((await folder.qanat(...plot, file)).stderr).toBe('')
    const { stdout } = await folder.qanat('plot', '--redo', file)
    expect(stdout).toBe(`${file}: points of 4 groups of run 1, mean over --seed\n`)
  }
})

const noChromium = skips('PNG and PDF by Chromium', lacks('chromium'))
test.skipIf(noChromium)('a plot is a picture that Chromium makes', async () => {
  const folder = await project()
  only(folder, 'chromium')
  for (const file of ['a.png', 'a.pdf']) {
    expect((await folder.qanat(...plot, file)).stderr).toBe('')
    expect(folder.has(file)).toBe(true)
  }
})

test('a plot that needs a program that is not there is not made, and the error says what to install', async () => {
  const folder = await project()
  only(folder)
  expectError(await folder.qanat(...plot, 'a.pdf'), 1, 'no program to make PDF', 'librsvg2-bin')
  expect(folder.has('a.pdf')).toBe(false)
})

/** Leaves only these programs in the PATH, and git. */
function only(folder: Folder, ...programs: string[]): void {
  const bin = join(folder.path, '.qanat/bin')
  mkdirSync(bin)
  for (const name of ['git', ...programs]) {
    const path = execFileSync('sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8' }).trim()
    symlinkSync(path, join(bin, name))
  }
  folder.environment.PATH = bin
}

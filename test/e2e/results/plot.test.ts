import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { lacks, skips } from '../../skips.js'
import { expectError } from '../expectations.js'
import { madeOnce } from '../made-once.js'
import { type Folder, program, projectWith } from '../project.js'

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

test.skipIf(skips('PNG and PDF by Chromium', lacks('chromium')))(
  'a plot is a picture that Chromium makes',
  async () => {
    const folder = await project()
    only(folder, 'chromium')
    for (const file of ['a.png', 'a.pdf']) {
      expect((await folder.qanat(...plot, file)).stderr).toBe('')
      expect(folder.has(file)).toBe(true)
    }
  },
)

test('a plot that needs a program that is not there is not made, and the error says what to install', async () => {
  const folder = await project()
  only(folder)
  expectError(await folder.qanat(...plot, 'a.pdf'), 1, 'no program to make PDF', 'librsvg2-bin')
  expect(folder.list('.').filter(name => name.startsWith('a.'))).toEqual([])
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

test('no other command loads what draws plots', async () => {
  const folder = await project()
  const copy = join(folder.path, '.qanat/program')
  const source = dirname(dirname(program))
  mkdirSync(join(copy, 'dist'), { recursive: true })
  cpSync(join(source, 'bin'), join(copy, 'bin'), { recursive: true })
  for (const name of readdirSync(join(source, 'dist'))) {
    if (name !== 'plots.cjs') symlinkSync(join(source, 'dist', name), join(copy, 'dist', name))
  }
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(source, name), join(copy, name))
  folder.program = join(copy, 'bin/run.js')
  for (const words of ['compare it', 'runs', 'collect it -o a.csv', 'plot --help', 'failures it']) {
    expect(await folder.qanat(...words.split(' '))).toMatchObject({ code: 0, stderr: '' })
  }
  expect((await folder.qanat('plot', 'it', '-o', 'a.svg')).stderr).toContain('plots.cjs')
})

import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readStoragePath } from '../../src/runfolder/storage-path.js'
import { folderWith } from '../project/temporary.js'

function project(): string {
  const root = realpathSync(folderWith({ '.qanat/config.yaml': '', 'src/train.py': '', 'full/x': '' }))
  mkdirSync(join(root, 'empty'))
  mkdirSync(join(root, 'results'))
  symlinkSync('.qanat', join(root, 'link'))
  symlinkSync('results', join(root, 'same_results'))
  return root
}

test.each([
  ['new', 'src/new'],
  ['../empty', 'empty'],
  ['../new/below', 'new/below'],
])('a run can be in %s', (text, path) => {
  const root = project()
  expect(readStoragePath(root, join(root, 'results'), join(root, 'src'), text)).toBe(join(root, path))
})

test.each([
  ['.', 'used by the project itself'],
  ['.qanat/run', 'used by the project itself'],
  ['.git', 'used by the project itself'],
  ['link/run', 'used by the project itself'],
  ['results', 'is used for the results of all runs'],
  ['results/.trash', 'is used for the results of all runs'],
  ['same_results', 'is used for the results of all runs'],
  ['same_results/.trash/new', 'is used for the results of all runs'],
  ['full', 'is not empty'],
  ['src/train.py', 'is not a folder'],
  ['src/train.py/run', 'is not a folder'],
])('a run cannot be in %s', (text, reason) => {
  const root = project()
  expect(() => readStoragePath(root, join(root, 'results'), root, text)).toThrow(reason)
})

test('a run cannot be in a folder that will hold the result folder', () => {
  const root = project()
  const read = () => readStoragePath(root, join(root, 'empty/results'), root, 'empty')
  expect(read).toThrow('is used for the results of all runs')
})

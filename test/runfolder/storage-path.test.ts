import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readStoragePath } from '../../src/runfolder/storage-path.js'
import { folderWith } from '../project/temporary.js'

function project(): string {
  const root = realpathSync(folderWith({ '.qanat/config.yaml': '', 'src/train.py': '', 'full/x': '' }))
  mkdirSync(join(root, 'empty'))
  symlinkSync('.qanat', join(root, 'link'))
  return root
}

test.each([
  ['new', 'src/new'],
  ['../empty', 'empty'],
  ['../new/below', 'new/below'],
])('a run can be in %s', (text, path) => {
  const root = project()
  expect(readStoragePath(root, join(root, 'src'), text)).toBe(join(root, path))
})

test.each([
  ['.', 'used by the project itself'],
  ['.qanat/run', 'used by the project itself'],
  ['.git', 'used by the project itself'],
  ['link/run', 'used by the project itself'],
  ['full', 'is not empty'],
  ['src/train.py', 'is not a folder'],
  ['src/train.py/run', 'is not a folder'],
])('a run cannot be in %s', (text, reason) => {
  const root = project()
  expect(() => readStoragePath(root, root, text)).toThrow(reason)
})

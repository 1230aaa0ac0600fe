import { execFileSync } from 'node:child_process'
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { walk } from '../../../src/project/data/walk.js'
import { asOrdinaryUser } from '../../system/ordinary-user.js'
import { folderWith } from '../temporary.js'

const noLimits = { until: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY }

test('finds files in all folders, in the same order each time', () => {
  const top = folderWith({ z: '', 'b/c/x': '', 'b/a': '', a: '', 'line\nbreak': '' })
  const paths = walk(top, noLimits).files.map(({ path }) => path)
  expect(paths).toEqual(['a', 'b/a', 'b/c/x', 'line\nbreak', 'z'])
  expect(walk(join(top, 'z'), noLimits)).toMatchObject({ files: [{ path: '.' }], skipped: [], partial: null })
})

test('follows links, and ends where they loop', () => {
  const [top, elsewhere] = [folderWith(), folderWith({ far: '' })]
  symlinkSync(elsewhere, join(top, 'link'))
  symlinkSync('.', join(top, 'loop'))
  symlinkSync(top, join(elsewhere, 'back'))
  symlinkSync('loop2', join(top, 'loop2'))
  expect(walk(top, noLimits)).toMatchObject({ files: [{ path: 'link/far' }], skipped: ['loop2'] })
})

test('gives a file its own path, and not that through a link to its folder', () => {
  const top = folderWith({ 'real/file': '' })
  symlinkSync('real', join(top, 'a link'))
  expect(walk(top, noLimits)).toMatchObject({ files: [{ path: 'real/file' }] })
})

test('never opens a named pipe, and names what is no file, and names that are not UTF-8', () => {
  const top = folderWith()
  execFileSync('mkfifo', [join(top, 'pipe')])
  symlinkSync('/dev/null', join(top, 'device'))
  symlinkSync('nowhere', join(top, 'broken'))
  writeFileSync(Buffer.from(`${top}/\xff`, 'latin1'), '')
  const { files, skipped, partial } = walk(top, noLimits)
  expect([files, [...skipped].sort(), partial]).toEqual([[], ['broken', 'device', 'pipe', '\uFFFD'], null])
})

test('names a folder that may not be read', () => {
  const top = folderWith({ 'secret/file': '' })
  chmodSync(join(top, 'secret'), 0)
  onTestFinished(() => chmodSync(join(top, 'secret'), 0o700))
  chmodSync(top, 0o755)
  expect(asOrdinaryUser(() => walk(top, noLimits)).skipped).toEqual(['secret'])
})

test('says that it ended at the limit of files, or when the time was up', () => {
  const top = folderWith({ a: '', b: '', c: '' })
  const { files, partial } = walk(top, { ...noLimits, files: 2 })
  expect(files.map(({ path }) => path)).toEqual(['a', 'b'])
  expect(partial).toBe('only the first 2 files were looked at')
  expect(walk(top, { ...noLimits, files: 3 }).partial).toBe(null)
  expect(walk(top, { ...noLimits, until: 0 }).partial).toBe('only 0 files were looked at in the time there was')
})

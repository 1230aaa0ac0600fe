import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { walk } from '../../../src/system/data/walk.js'
import { asOrdinaryUser } from '../ordinary-user.js'

const noLimits = { until: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY }

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'qanat-walk-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

function pathsIn(top: string, limits = noLimits): string[] {
  return walk(top, limits).files.map(({ path }) => path)
}

test('finds files in all folders, in the same order each time', () => {
  const top = folder()
  mkdirSync(join(top, 'b/c'), { recursive: true })
  for (const path of ['z', 'b/c/x', 'b/a', 'a', 'line\nbreak']) writeFileSync(join(top, path), path)
  expect(pathsIn(top)).toEqual(['a', 'b/a', 'b/c/x', 'line\nbreak', 'z'])
})

test('takes a file as a dataset', () => {
  const file = join(folder(), 'data.csv')
  writeFileSync(file, '1')
  expect(walk(file, noLimits)).toMatchObject({ files: [{ path: '.' }], skipped: [], partial: null })
})

test('follows links, and ends where they loop', () => {
  const [top, elsewhere] = [folder(), folder()]
  writeFileSync(join(elsewhere, 'far'), '')
  symlinkSync(elsewhere, join(top, 'link'))
  symlinkSync('.', join(top, 'loop'))
  symlinkSync(top, join(elsewhere, 'back'))
  symlinkSync('loop2', join(top, 'loop2'))
  expect(walk(top, noLimits)).toMatchObject({ files: [{ path: 'link/far' }], skipped: ['loop2'] })
})

test('gives a file its own path, and not that through a link to its folder', () => {
  const top = folder()
  mkdirSync(join(top, 'real'))
  writeFileSync(join(top, 'real/file'), '')
  symlinkSync('real', join(top, 'a link'))
  expect(pathsIn(top)).toEqual(['real/file'])
})

test('never opens a named pipe, and names what is no file', () => {
  const top = folder()
  execFileSync('mkfifo', [join(top, 'pipe')])
  symlinkSync('/dev/null', join(top, 'device'))
  symlinkSync('nowhere', join(top, 'broken'))
  expect(walk(top, noLimits)).toEqual({ files: [], skipped: ['pipe', 'broken', 'device'], partial: null })
})

test('names a file whose name is not UTF-8', () => {
  const top = folder()
  writeFileSync(Buffer.concat([Buffer.from(`${top}/`), Buffer.from([0xff])]), '')
  expect(walk(top, noLimits).skipped).toEqual(['\uFFFD'])
})

test('names a folder that may not be read', () => {
  const top = folder()
  mkdirSync(join(top, 'secret'))
  chmodSync(join(top, 'secret'), 0)
  onTestFinished(() => chmodSync(join(top, 'secret'), 0o700))
  chmodSync(top, 0o755)
  expect(asOrdinaryUser(() => walk(top, noLimits)).skipped).toEqual(['secret'])
})

test('says that it ended at the limit of files', () => {
  const top = folder()
  for (const name of ['a', 'b', 'c']) writeFileSync(join(top, name), '')
  expect(walk(top, { ...noLimits, files: 2 })).toMatchObject({
    files: [{ path: 'a' }, { path: 'b' }],
    partial: 'only the first 2 files were looked at',
  })
  expect(walk(top, { ...noLimits, files: 3 }).partial).toBe(null)
})

test('says that it ended when the time was up', () => {
  const top = folder()
  writeFileSync(join(top, 'a'), '')
  expect(walk(top, { ...noLimits, until: 0 }).partial).toBe('only 0 files were looked at in the time there was')
})

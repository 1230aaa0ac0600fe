import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atomicWrite, copyFile, isCopy, isFile, isFolder } from '../../src/system/files.js'
import { folderWith } from '../project/temporary.js'

test('a temporary file of another process with the same id does not hinder writing a file', () => {
  const folder = folderWith({ file: 'before', [`file.${process.pid}.new/x`]: 'theirs' })
  atomicWrite(join(folder, 'file'), 'after')
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('after')
  expect(readdirSync(folder).sort()).toEqual(['file', `file.${process.pid}.new`])
})

test('nothing is in a file, neither a file nor a folder', () => {
  const folder = folderWith({ file: '' })
  const paths = ['', 'file', 'file/x', 'nothing', 'nothing/x'].map(path => join(folder, path))
  expect(paths.map(isFile)).toEqual([false, true, false, false, false])
  expect(paths.map(isFolder)).toEqual([true, false, false, false, false])
})

describe('a copy', () => {
  test('has the time of its source, by which it is recognised', () => {
    const folder = folderWith({ source: 'one' })
    const [source, copy] = [join(folder, 'source'), join(folder, 'below/copy')]
    utimesSync(source, 1000, 2000)
    copyFile(source, copy)
    expect([readFileSync(copy, 'utf8'), statSync(copy).mtimeMs]).toEqual(['one', 2_000_000])
    expect(isCopy(source, copy)).toBe(true)
  })

  test.each([
    ['the same text of another time', 'one', true],
    ['another text as long', 'two', false],
    ['a longer text', 'once', false],
  ])('is recognised by its content if the times differ: %s', (_, text, expected) => {
    const folder = folderWith({ source: 'one', copy: text })
    utimesSync(join(folder, 'source'), 1000, 2000)
    expect(isCopy(join(folder, 'source'), join(folder, 'copy'))).toBe(expected)
  })

  test('that cannot be made leaves the old file, and no temporary file', () => {
    const folder = folderWith({ copy: 'before' })
    expect(() => copyFile(join(folder, 'missing'), join(folder, 'copy'))).toThrow()
    expect([readdirSync(folder), readFileSync(join(folder, 'copy'), 'utf8')]).toEqual([['copy'], 'before'])
  })
})

describe('a file that is written', () => {
  test('replaces another one, in pieces or whole, and is made with its folder', () => {
    const folder = folderWith({ a: 'before' })
    atomicWrite(join(folder, 'a'), ['one ', 'two'])
    atomicWrite(join(folder, 'b/c'), 'new')
    expect(['a', 'b/c'].map(path => readFileSync(join(folder, path), 'utf8'))).toEqual(['one two', 'new'])
    expect(readdirSync(folder)).toEqual(['a', 'b'])
  })

  test('is unchanged if its new text breaks off', () => {
    const folder = folderWith({ a: 'before' })
    function* broken(): Generator<string> {
      yield 'after'
      throw new Error('no more')
    }
    expect(() => atomicWrite(join(folder, 'a'), broken())).toThrow('no more')
    expect([readdirSync(folder), readFileSync(join(folder, 'a'), 'utf8')]).toEqual([['a'], 'before'])
  })
})

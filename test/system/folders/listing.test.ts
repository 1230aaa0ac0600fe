import { mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changesBetween, digestsOf, listFiles } from '../../../src/system/folders/listing.js'
import { folderWith } from '../../project/temporary.js'

const plenty = { files: 1000, milliseconds: 60_000 }

describe('what changed between two listings', () => {
  const look = (folder: string, limit = plenty) => listFiles([{ path: folder, deep: true }], limit)
  const changed = (folder: string, before: ReturnType<typeof look>, after = look(folder)) =>
    changesBetween(before, after, 0).map(({ path, change, size }) => [path.slice(folder.length + 1), change, size])

  test('are files that were made, written again with the same size and time, replaced and removed', () => {
    const folder = folderWith({ 'a/same': '1', 'a/again': '22', 'a/b/gone': '333', '.run/ours': '', '.git/HEAD': '' })
    const { atime, mtime } = statSync(join(folder, 'a/again'))
    const before = look(folder)
    expect(changed(folder, before)).toEqual([])
    writeFileSync(join(folder, 'a/again'), '44')
    utimesSync(join(folder, 'a/again'), atime, mtime)
    rmSync(join(folder, 'a/b/gone'))
    writeFileSync(join(folder, 'a/new'), '')
    writeFileSync(join(folder, '.run/more'), '')
    expect(changed(folder, before)).toEqual([
      ['a/again', 'changed', 2],
      ['a/new', 'made', 0],
      ['a/b/gone', 'removed', 3],
    ])
  })

  test('a link that leads back ends nothing, and its target is not taken', () => {
    const folder = folderWith({ 'a/file': '' })
    symlinkSync('..', join(folder, 'a/loop'))
    symlinkSync('file', join(folder, 'a/link'))
    expect([...look(folder).files.keys()]).toEqual([join(folder, 'a/file')])
  })

  test('beyond the limit nothing that was there before counts as made, and nothing as removed', () => {
    const folder = folderWith(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}`, ''])))
    const before = look(folder, { ...plenty, files: 5 })
    expect([before.complete, before.files.size]).toEqual([false, 5])
    const since = Date.now() + 1000
    writeFileSync(join(folder, 'f0'), 'x')
    expect(changesBetween(before, look(folder), since)).toMatchObject([{ path: join(folder, 'f0'), change: 'changed' }])
    const all = look(folder)
    expect(changesBetween(all, look(folder, { ...plenty, files: 5 }), since)).toEqual([])
  })

  test('a place may be a file, a folder without those in it, and nothing', () => {
    const folder = folderWith({ file: '', 'a/b': '' })
    mkdirSync(join(folder, 'empty'))
    const places = ['a/b', '', 'gone'].map(path => ({ path: join(folder, path), deep: path !== '' }))
    expect([...listFiles(places, plenty).files.keys()]).toEqual([join(folder, 'a/b'), join(folder, 'file')])
  })

  test('digests are of what is small enough and still there', async () => {
    const folder = folderWith({ small: 'abc', large: 'abcd' })
    const sizes = { small: 3, large: 4, gone: 0 }
    const files = Object.entries(sizes).map(([name, size]) => ({ path: join(folder, name), size }))
    const abc = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    expect(await digestsOf(files, { milliseconds: 60_000, largest: 3 })).toEqual([abc, null, null])
  })
})

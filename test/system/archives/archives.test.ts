import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Archive, addFile } from '../../../src/system/archives/archive.js'
import { folderArchive } from '../../../src/system/archives/folder-archive.js'
import { zipArchive } from '../../../src/system/archives/zip-archive.js'
import { folderWith } from '../../project/temporary.js'

const files: Readonly<Record<string, string>> = {
  'a.txt': 'abc',
  'b/empty': '',
  'b/ü #1 %.bin': '\u0000'.repeat(3_000_000),
}

function fill(archive: Archive): void {
  const source = folderWith(files)
  for (const name of Object.keys(files)) addFile(archive, name, join(source, name))
}

describe('a ZIP file', () => {
  const read = 'import sys, zipfile, json; z = zipfile.ZipFile(sys.argv[1]); bad = z.testzip(); '
  const contents = (path: string) =>
    JSON.parse(
      execFileSync(
        'python3',
        ['-c', `${read}print(json.dumps([bad, {n: len(z.read(n)) for n in z.namelist()}]))`, path],
        {
          encoding: 'utf8',
        },
      ),
    )

  test('is read by another program, whatever the names and the sizes of its files', () => {
    const path = join(folderWith(), 'new/a.zip')
    const archive = zipArchive(path)
    fill(archive)
    expect(existsSync(path)).toBe(false)
    archive.close()
    expect(contents(path)).toEqual([null, { 'a.txt': 3, 'b/empty': 0, 'b/ü #1 %.bin': 3_000_000 }])
    expect(readdirSync(join(path, '..'))).toEqual(['a.zip'])
  })

  test('may have more files than its numbers had bytes for at first', () => {
    const path = join(folderWith(), 'a.zip')
    const archive = zipArchive(path)
    for (let at = 0; at < 66_000; at++) archive.add(`f${at}`, [])
    archive.close()
    expect(Object.keys(contents(path)[1])).toHaveLength(66_000)
  })

  test('is never written over anything, also if that appears meanwhile', () => {
    const path = join(folderWith({ 'there.zip': 'mine' }), 'there.zip')
    expect(() => zipArchive(path)).toThrow('exists already')
    const other = zipArchive(`${path}.zip`)
    writeFileSync(`${path}.zip`, 'mine')
    expect(() => other.close()).toThrow('exists already')
    other.discard()
    expect(readFileSync(`${path}.zip`, 'utf8')).toBe('mine')
    expect(readdirSync(join(path, '..')).sort()).toEqual(['there.zip', 'there.zip.zip'])
  })
})

describe('a folder', () => {
  test('appears when it is complete, also in the place of an empty one', () => {
    const path = join(folderWith(), 'crate')
    mkdirSync(path)
    const archive = folderArchive(path)
    fill(archive)
    expect(readdirSync(path)).toEqual([])
    archive.close()
    expect(readFileSync(join(path, 'b/ü #1 %.bin'), 'utf8')).toBe(files['b/ü #1 %.bin'])
    expect(readdirSync(join(path, '..'))).toEqual(['crate'])
  })

  test('is never written into one with files, and leaves nothing if it is given up', () => {
    const folder = folderWith({ 'there/file': 'mine', file: 'mine' })
    expect(() => folderArchive(join(folder, 'there'))).toThrow('exists already')
    expect(() => folderArchive(join(folder, 'file'))).toThrow('exists already')
    const archive = folderArchive(join(folder, 'new'))
    fill(archive)
    mkdirSync(join(folder, 'new'))
    writeFileSync(join(folder, 'new/file'), 'mine')
    expect(() => archive.close()).toThrow('exists already')
    archive.discard()
    expect(readdirSync(folder).sort()).toEqual(['file', 'new', 'there'])
  })
})

test('what is copied is known by its size and its SHA-256', () => {
  const path = join(folderWith({ a: 'abc' }), 'a')
  const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(addFile(folderArchive(join(folderWith(), 'new')), 'a', path)).toEqual({ size: 3, sha256 })
})

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Entry, fileEntry, writeFolder, writeZip } from '../../../src/project/output/archive.js'
import { fileWith, folderWith } from '../temporary.js'

const large = '\u0000'.repeat(3_000_000)
const files: Readonly<Record<string, string>> = { 'a.txt': 'abc', 'b/empty': '', 'b/ü #1 %.bin': large, 'c/d/e': '' }

async function* entries(): AsyncGenerator<Entry> {
  const source = folderWith(files)
  for (const name of Object.keys(files)) yield* fileEntry(name, join(source, name))
}

test('a ZIP file is read by another program, whatever files it has, has its folders, and is the same each time', async () => {
  const read = 'import sys, zipfile, json; z = zipfile.ZipFile(sys.argv[1]); bad = z.testzip(); '
  const program = `${read}print(json.dumps([bad, {n: len(z.read(n)) for n in z.namelist()}]))`
  const folder = folderWith()
  const [one, other] = [join(folder, 'new/a.zip'), join(folder, 'b.zip')]
  for (const path of [one, other]) await writeZip(path, entries())
  const contents = JSON.parse(execFileSync('python3', ['-c', program, other], { encoding: 'utf8' }))
  expect(contents).toEqual([
    null,
    { 'a.txt': 3, 'b/': 0, 'b/empty': 0, 'b/ü #1 %.bin': 3_000_000, 'c/': 0, 'c/d/': 0, 'c/d/e': 0 },
  ])
  expect(readFileSync(one).equals(readFileSync(other))).toBe(true)
  expect(readdirSync(join(folder, 'new'))).toEqual(['a.zip'])
})

describe.each([
  ['a ZIP file', writeZip],
  ['a folder', writeFolder],
] as const)('%s', (_, write) => {
  test('appears when it is complete, and is never written over anything, also if that appears meanwhile', async () => {
    const folder = folderWith({ 'full/file': 'mine', file: 'mine' })
    for (const name of ['full', 'file']) await expect(write(join(folder, name), entries())).rejects.toThrow('exists')
    const path = join(folder, 'new')
    async function* overtaken() {
      yield* entries()
      expect(existsSync(path)).toBe(false)
      writeFileSync(path, 'mine')
    }
    await expect(write(path, overtaken())).rejects.toThrow('exists already')
    expect(readFileSync(path, 'utf8')).toBe('mine')
    expect(readdirSync(folder).sort()).toEqual(['file', 'full', 'new'])
  })

  test('leaves nothing if a file cannot be read, and says which one', async () => {
    const folder = folderWith()
    async function* broken() {
      yield* entries()
      yield* fileEntry('gone', join(folder, 'gone'))
    }
    const error = { code: 'ENOENT', path: join(folder, 'gone') }
    await expect(write(join(folder, 'new'), broken())).rejects.toMatchObject(error)
    expect(readdirSync(folder)).toEqual([])
  })
})

test('a folder takes the place of an empty one; what is copied is known by its size and its SHA-256', async () => {
  const path = join(folderWith(), 'crate')
  mkdirSync(path)
  let copied: unknown
  const one = async function* () {
    copied = yield* fileEntry('b/ü #1 %.bin', fileWith(large))
  }
  await writeFolder(path, one())
  expect(readFileSync(join(path, 'b/ü #1 %.bin'), 'utf8')).toBe(large)
  expect(readdirSync(join(path, '..'))).toEqual(['crate'])
  expect(copied).toEqual({ size: large.length, sha256: createHash('sha256').update(large).digest('hex') })
})

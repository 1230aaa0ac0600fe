import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listFiles } from '../../../src/system/folders/listing.js'
import { oddEntries, unreadable } from '../../../src/system/folders/odd-entries.js'
import { folderWith } from '../../project/temporary.js'
import { asOrdinaryUser } from '../ordinary-user.js'

/** What a listing of a folder leaves out, by the path in it. */
function oddIn(folder: string): Record<string, string | null> {
  const limit = { files: Number.POSITIVE_INFINITY, milliseconds: Number.POSITIVE_INFINITY }
  const { others } = listFiles([{ path: folder, deep: true }], limit)
  return Object.fromEntries(oddEntries(others).map(({ path, what }) => [path.slice(folder.length + 1), what]))
}

test('links, pipes and names that are not UTF-8 are told apart, also in folders of such a name', () => {
  const folder = folderWith({ 'a/file': '', 'a/\uFFFD': '' })
  symlinkSync('gone', join(folder, 'a/link'))
  execFileSync('mkfifo', [join(folder, 'a/pipe')])
  const bytes = (name: string) => Buffer.from(`${folder}/${name}`, 'latin1')
  writeFileSync(bytes('a/\xc3\xa9\xff'), '')
  writeFileSync(bytes('a/\xc3\xa9\xfe'), '')
  mkdirSync(bytes('\xe9'))
  mkdirSync(bytes('\xe9/b'))
  symlinkSync(Buffer.from('\xe8', 'latin1'), bytes('\xe9/b/c'))
  expect(oddIn(folder)).toEqual({
    'a/link': 'link to gone',
    'a/pipe': 'pipe',
    'a/é\\xff': null,
    'a/é\\xfe': null,
    '\\xe9/b/c': 'link to \\xe8',
  })
})

test('what may not be looked at is named, and ends nothing', () => {
  const folder = folderWith({ 'closed/file': '', 'names/file': '', 'names/folder/file': '' })
  const modes = { '.': 0o755, closed: 0, names: 0o444 }
  for (const [name, mode] of Object.entries(modes)) {
    chmodSync(join(folder, name), mode)
    onTestFinished(() => chmodSync(join(folder, name), 0o755))
  }
  const odd = { closed: unreadable, 'names/file': unreadable, 'names/folder': unreadable }
  expect(asOrdinaryUser(() => oddIn(folder))).toEqual(odd)
})

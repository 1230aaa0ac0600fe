import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filesWith, placesIn } from '../../src/runfolder/secrets/search.js'
import { cases, testAny } from '../cases.js'
import { fileWith, folderWith } from '../project/temporary.js'

test('the files of a folder with a text are found, each with its line, without those behind links', () => {
  const texts = { 'a.txt': 'one\ntwo t0ken\n', 'below/b.bin': '\0\n\nt0ken', 'c.txt': 'other\nt0ken\n', d: '' }
  const folder = folderWith(texts)
  symlinkSync(join(folder, 'a.txt'), join(folder, 'link'))
  symlinkSync(folder, join(folder, 'loop'))
  expect([...filesWith(folder, ['t0ken', 'other', 'none'])]).toEqual([
    { path: 'a.txt', line: 2, text: 0 },
    { path: 'below/b.bin', line: 3, text: 0 },
    { path: 'c.txt', line: 2, text: 0 },
    { path: 'c.txt', line: 1, text: 1 },
  ])
  expect([...filesWith(join(folder, 'gone'), ['t0ken'])]).toEqual([])
})

test('a text is found wherever it stands in a large file', () => {
  const piece = 4 * 1024 * 1024
  for (const before of [piece - 10, piece - 3, piece - 1, piece, 2 * piece - 2]) {
    const path = fileWith(`${'x\n'.repeat(before / 2)}${before % 2 === 1 ? 'x' : ''}a\nkey${'y'.repeat(100)}`)
    expect(placesIn(path, ['a\nkey'])).toEqual([{ line: Math.floor(before / 2) + 1, text: 0 }])
  }
})

testAny([fc.array(fc.constantFrom('key', 'ke', 'y', '\n'), { maxLength: 30 })], { numRuns: cases(50) })(
  'the line is that of the first place',
  pieces => {
    const text = pieces.join('')
    const at = text.indexOf('key')
    const expected = at < 0 ? [] : [{ line: text.slice(0, at).split('\n').length, text: 0 }]
    expect(placesIn(fileWith(text), ['key'])).toEqual(expected)
  },
)

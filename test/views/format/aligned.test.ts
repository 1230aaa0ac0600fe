import { describe, expect, test } from 'vitest'
import { aligned } from '../../../src/views/format/aligned.js'

describe('aligned cells', () => {
  const heads = 'Id  Status    Tags\n12  finished\n3             seeds, base'
  test.each([
    ['headings, with nothing at the end of a line', 'Id|Status|Tags\n12|finished|\n3||seeds, base', heads],
    ['wide characters', '名前|x\na|y', '名前  x\na     y'],
    ['accents', 'é|x\nab|y', 'é   x\nab  y'],
    ['colours', '\x1b[32mok\x1b[39m|x\nlost|y', '\x1b[32mok\x1b[39m    x\nlost  y'],
    ['emoji', '🏁 done|x\na|y', '🏁 done  x\na        y'],
    ['rows of different lengths', 'a\nbcd|x\n', 'a\nbcd  x\n'],
  ])('align %s', (_, rows, text) => {
    expect(aligned(rows.split('\n').map(row => row.split('|')))).toBe(text)
  })

  test('are cut at the width of the terminal, if there is one', () => {
    expect(aligned([['12', 'finished', 'a long description']], 21)).toBe('12  finished  a long…')
  })

  test('are nothing without rows', () => {
    expect(aligned([])).toBe('')
  })
})

import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { aligned } from '../../../src/views/format/aligned.js'

describe('aligned cells', () => {
  test('stand under their headings, two spaces apart, with nothing at the end of a line', () => {
    const rows = [
      ['Id', 'Status', 'Tags'],
      ['12', 'finished', ''],
      ['3', '', 'seeds, baseline'],
    ]
    expect(aligned(rows)).toBe('Id  Status    Tags\n12  finished\n3             seeds, baseline')
  })

  test.each([
    [
      'wide characters',
      [
        ['名前', 'x'],
        ['a', 'y'],
      ],
      '名前  x\na     y',
    ],
    [
      'accents',
      [
        ['é', 'x'],
        ['ab', 'y'],
      ],
      'é   x\nab  y',
    ],
    [
      'colours',
      [
        ['\x1b[32mok\x1b[39m', 'x'],
        ['lost', 'y'],
      ],
      '\x1b[32mok\x1b[39m    x\nlost  y',
    ],
    [
      'emoji',
      [
        ['🏁 done', 'x'],
        ['a', 'y'],
      ],
      '🏁 done  x\na        y',
    ],
    ['rows of different lengths', [['a'], ['bcd', 'x'], []], 'a\nbcd  x\n'],
  ])('align %s', (_, rows, text) => {
    expect(aligned(rows)).toBe(text)
  })

  test('are cut at the width of the terminal, if there is one', () => {
    expect(aligned([['12', 'finished', 'a long description']], 21)).toBe('12  finished  a long…')
  })

  test('are nothing without rows', () => {
    expect(aligned([])).toBe('')
  })

  test('are complete, and begin at the same column in every row', () => {
    const cell = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'abc', 'é', '名', '🏁'), maxLength: 8 }),
      fc.stringMatching(/^[a-z ]{0,8}$/),
    )
    const table = fc.integer({ min: 1, max: 5 }).chain(width =>
      // The last cell has an end that shows where it stands.
      fc.array(
        fc.array(cell, { minLength: width, maxLength: width }).map(row => [...row, '|']),
        { minLength: 1 },
      ),
    )
    fc.assert(
      fc.property(table, rows => {
        const lines = aligned(rows).split('\n')
        const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => stringWidth(row[column]!))))
        expect(lines).toHaveLength(rows.length)
        for (const [number, line] of lines.entries()) {
          expect(stringWidth(line)).toBe(widths.reduce((sum, width) => sum + width + 2, -2))
          let rest = line
          for (const [column, text] of rows[number]!.entries()) {
            expect(rest.startsWith(text)).toBe(true)
            rest = rest.slice(text.length + widths[column]! - stringWidth(text) + 2)
          }
        }
      }),
    )
  })
})

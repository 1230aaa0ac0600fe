import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { terminalCard, terminalTable } from '../../../src/views/render/terminal.js'
import { columns, hostileRows, plain, sample, terminal, textColumns } from './columns.js'

const [name, duration, tags, state] = [columns[0]!, columns[1]!, columns[2]!, columns[4]!]
const shown = [name, tags]

describe('a table', () => {
  test.each(['short', 'long', 'whole'] as const)('that is %s has headings, and columns under them', layout => {
    const rows = [sample('iris', 'a', 'b'), { ...sample('a long name'), seconds: null, isDone: false }]
    expect(terminalTable({ columns: [name, duration, state, tags], rows }, plain, layout)).toBe(
      ['Name         Duration  state  Tags', 'iris         1.5       done   a, b', 'a long name'].join('\n'),
    )
  })

  test.each(['short', 'long', 'whole'] as const)('that is %s has symbols and colours on a terminal', layout => {
    expect(terminalTable({ columns: [state, name], rows: [sample('iris')] }, terminal(80), layout)).toBe(
      'state  🔖 Name\n\x1b[32mdone\x1b[39m   iris',
    )
  })

  test.each([
    ['long', 'Name        …\na rather lon…'],
    ['whole', 'Name          Tags\na rather lon  x'],
  ] as const)('that is %s ends with the terminal only where it is long', (layout, text) => {
    const style = { ...plain, columns: 13 }
    expect(terminalTable({ columns: shown, rows: [sample('a rather lon', 'x')] }, style, layout)).toBe(text)
  })

  test.each([
    ['short', 'newlines', 'one\ntwo', 'Name     Tags\none two  x'],
    ['long', 'newlines', 'one\ntwo', 'Name     Tags\none two  x'],
    ['whole', 'newlines', 'one\ntwo', 'Name     Tags\none two  x'],
    ['long', 'escape sequences', '\x1b[2Ja', 'Name      Tags\n\\x1b[2Ja  x'],
    ['whole', 'carriage returns', 'good\rbad', 'Name         Tags\ngood\\x0dbad  x'],
    ['whole', 'wide characters', '日本', 'Name  Tags\n日本  x'],
  ] as const)('that is %s shows %s in a cell, and is still aligned', (layout, _, text, expected) => {
    expect(terminalTable({ columns: shown, rows: [sample(text, 'x')] }, plain, layout)).toBe(expected)
  })

  test.each([
    ['words', 'one two three four', ['one two three', 'four']],
    ['lines', 'one\ntwo three four five', ['one', 'two three four', 'five']],
    ['a word that is too long, which is cut', 'abcdefghijklmnopqrstuvwxyz', ['abcdefghijklmno…']],
    ['wide characters', '日本語 日本語 日本語 日本語', ['日本語 日本語', '日本語 日本語']],
  ])('that is short shows the last column on a terminal in several lines: %s', (_, text, parts) => {
    const drawn = terminalTable({ columns: [duration, name], rows: [sample(text)] }, { ...plain, columns: 26 }, 'short')
    const [first, ...others] = parts
    const lines = ['Duration  Name', `1.5       ${first}`, ...others.map(part => `${' '.repeat(10)}${part}`)]
    expect(drawn.split('\n')).toEqual(lines)
  })

  test('has a line for each row, with aligned columns, whatever the cells contain', () => {
    const end = { key: 'end', value: () => '|' }
    fc.assert(
      fc.property(hostileRows(3), rows => {
        const text = terminalTable({ columns: [...textColumns(3), end], rows }, plain, 'whole')
        const [heading, ...lines] = text.split('\n')
        expect(lines).toHaveLength(rows.length)
        const width = stringWidth(heading!) - 'end'.length + 1
        expect(lines.map(line => [stringWidth(line), line.at(-1)])).toEqual(lines.map(() => [width, '|']))
        // Emphasis may stay: it hides nothing.
        expect(text.replaceAll('\x1b[1m', '')).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
      }),
    )
  })
})

describe('a table that is too wide for the terminal', () => {
  const widths = [4, 20, 12, 8]
  const wide = widths.map((width, at) => ({
    key: `c${at}`,
    value: () => '-'.repeat(width),
    ...(at > 0 && { leaves: 4 - at }),
  }))
  const table = (columns: number | null) => terminalTable({ columns: wide, rows: [1] }, { ...plain, columns }, 'whole')

  test.each([
    [50, 'c0 c1 c2 c3', undefined],
    [null, 'c0 c1 c2 c3', undefined],
    [49, 'c0 c1 c2', 'c3'],
    [26, 'c0 c1', 'c2, c3'],
    // The widest column leaves last, and then others have room.
    [25, 'c0 c2', 'c1, c3'],
    [17, 'c0 c3', 'c1, c2'],
    [9, 'c0', 'c1, c2, c3'],
    [2, 'c0', 'c1, c2, c3'],
  ])('of %j columns has %s', (width, heading, left) => {
    const [head, , note] = table(width).split('\n')
    expect(head!.trim().split(/ +/).join(' ')).toBe(heading)
    expect(note).toBe(left && `Not shown (a pipe shows all): ${left}`)
  })
})

test('a card has one fact a line, without trailing blanks after empty values', () => {
  expect(terminalCard([name, tags, duration], { ...sample('iris'), seconds: null }, terminal(80))).toBe(
    '🔖 Name: iris\nTags:\nDuration:',
  )
})

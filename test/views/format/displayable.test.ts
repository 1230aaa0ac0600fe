import { Chalk } from 'chalk'
import { expect, test } from 'vitest'
import { displayable, jsonText } from '../../../src/views/format/displayable.js'

const { red, bold, dim } = new Chalk({ level: 1 })

test.each([
  ['the colours of a terminal', 'a\u001b[31mb', String.raw`a\x1b[31mb`],
  ['moves of the cursor and the title of the window', '\u001b[2J\u001b]0;x\u0007', String.raw`\x1b[2J\x1b]0;x\x07`],
  ['the one-character forms of them', '\u009b2J\u0090\u007f', String.raw`\x9b2J\x90\x7f`],
  ['what writes over a line', 'good\rbad\b', String.raw`good\x0dbad\x08`],
  ['codes inside of our own', red('a\u001b[2Jb'), String.raw`\x1b[31ma\x1b[2Jb\x1b[39m`],
])('%s are shown, and do not control the terminal', (_, text, shown) => {
  expect(displayable(text)).toBe(shown)
})

test.each([
  'a\tb\n',
  'ünïcödé ☃ 🧪',
  `x ${red('❌ failed')} y`,
  `${bold.underline('a')} ${dim('--')} ${red(bold('b'))}`,
  '',
])('%j is not changed', text => {
  expect(displayable(text)).toBe(text)
})

test('JSON is the same for programs', () => {
  const value = { text: '\u001b[31m\u007f\u009b é' }
  expect(jsonText(value)).toContain(String.raw`"\u001b[31m\u007f\u009b é"`)
  expect(JSON.parse(jsonText(value))).toEqual(value)
})

test('a coloured line of many megabytes is kept', () => {
  const line = `\x1b[31m${'x'.repeat(10_000_000)}\x1b[39m`
  expect(displayable(line) === line).toBe(true)
})

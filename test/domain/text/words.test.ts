import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SPLITTABLE, splitWords } from '../../../src/domain/text/words.js'
import { UserError } from '../../../src/errors.js'
import { anyCharacter, cases, testAny } from '../../cases.js'

/** What /bin/sh makes of the text, NUL-separated so that any word can be told from any other. */
function splitByShell(text: string): string[] {
  const script = `set -f; printf 'x%s\\0' ${text}`
  const output = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })
  const words = output.split('\0').slice(0, -1)
  return words.map(word => word.slice(1)).slice(text.trim() === '' ? 1 : 0)
}

describe('splitting words', () => {
  test.each([
    ['--opt1 v --opt2 w pos', ['--opt1', 'v', '--opt2', 'w', 'pos']],
    ['', []],
    [' \t\n ', []],
    [`--text 'two words' "and 'these'"`, ['--text', 'two words', "and 'these'"]],
    [`--empty '' ""`, ['--empty', '', '']],
    [`a'b'"c"\\ d`, ['abc d']],
    ['"\\$x \\` \\" \\\\ \\n"', ['$x ` " \\ \\n']],
    ['\'a\\\\b\'"c"', ['a\\\\bc']],
    ['$HOME $(id) `id` * ~ ; # | & > $"x"', ['$HOME', '$(id)', '`id`', '*', '~', ';', '#', '|', '&', '>', '$x']],
    ["$'a\\n'", ['$a\\n']],
    ['a\\\nb "c\\\nd"', ['ab', 'cd']],
    ['é\u00a0b \u2028', ['é\u00a0b', '\u2028']],
  ])('%j', (text, words) => {
    expect(splitWords(text)).toEqual(words)
  })

  test.each([
    [`--a 'b`, "the quote ' at character 5 is not closed: --a 'b"],
    [`'${'x'.repeat(100_000)}`, `the quote ' at character 1 is not closed: '${'x'.repeat(199)}…`],
    [`--a 'b' "c\\"`, 'the quote " at character 9 is not closed: --a \'b\' "c\\"'],
    ['--a \\', 'nothing follows the backslash at the end of: --a \\'],
  ])('%j is refused', (text, message) => {
    expect(() => splitWords(text)).toThrow(new UserError(message))
  })

  const piece = fc.constantFrom('a', '-', '=', ' ', '\t', '\\a', '\\ ', '\\\\', "\\'", '\\"', "''", '""', 'é', '\\\n')
  const single = fc.array(fc.constantFrom('a', ' ', '\\', '"', '\n', '$')).map(inner => `'${inner.join('')}'`)
  const inDouble = fc.constantFrom('a', ' ', '\\a', '\\\\', '\\"', '\\$', '\\`', "'", '\n', '\\\n')
  const double = fc.array(inDouble).map(inner => `"${inner.join('')}"`)
  const typed = fc.array(fc.oneof({ weight: 3, arbitrary: piece }, single, double)).map(pieces => pieces.join(''))
  testAny([typed], { numRuns: cases(150) })('words come out as a POSIX shell splits them', line => {
    fc.pre(/[^\s\\]/.test(line))
    expect(splitWords(line)).toEqual(splitByShell(line))
  })

  const text = fc.string({ unit: fc.constantFrom('a', ' ', '\\n', "'", '"', '\\\\', '$', 'é') })
  testAny([text], { numRuns: cases(1000) })('a text can be split exactly if it matches the pattern', line => {
    if (SPLITTABLE.test(line)) splitWords(line)
    else expect(() => splitWords(line)).toThrow(UserError)
  })

  const anyWords = fc.array(fc.string({ unit: anyCharacter }))
  testAny([anyWords])('any words are the same after quoting and splitting', words => {
    const line = words.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
    expect(splitWords(line)).toEqual(words)
  })
})

import { userInfo } from 'node:os'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { displayCommand, expandableWord, quoteWords, takeWord } from '../../../src/domain/text/shell-text.js'
import { cases, testAny } from '../../cases.js'
import { anyWord, evaluateLines, evaluateTexts, shells } from './shells.js'

const few = { numRuns: cases(5), endOnFailure: true }
/** Many lists of words, so that one process of a shell tries them all. */
const manyLists = fc.array(fc.array(anyWord(), { minLength: 1, maxLength: 6 }), { minLength: 200, maxLength: 200 })

describe.each(shells)('quoted words, read by %s', shell => {
  testAny([manyLists], few)('are what they were, byte for byte', lists => {
    expect(evaluateLines(shell, lists.map(quoteWords))).toEqual(lists)
  })

  test('are what they were, for every character', () => {
    const characters = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code)).slice(1)
    const lists = characters.map(character => [character, `a${character}b`, character.repeat(3)])
    expect(evaluateLines(shell, lists.map(quoteWords))).toEqual(lists)
  })

  test('are what they were, at the greatest length that an argument can have', () => {
    const words = ["it's\n".repeat(26_000), 'x'.repeat(130_000)]
    expect(evaluateLines(shell, [quoteWords(words)])).toEqual([words])
  })

  testAny([manyLists], few)('can be pasted as a command is shown', lists => {
    expect(evaluateTexts(shell, lists.map(displayCommand))).toEqual(lists)
  })
})

describe('quoted words', () => {
  test('stay readable if they are simple', () => {
    expect(quoteWords(['--seed', '0', 'a b', '', "it's", 'two\nlines', 'a=b', '~', '{x}'])).toBe(
      `--seed 0 'a b' '' 'it'\\''s' 'two'"$QANAT_NEWLINE"'lines' a=b '~' '{x}'`,
    )
  })

  testAny([fc.array(anyWord())])('are one line, and can be split off one by one unchanged', words => {
    let rest = quoteWords(words)
    expect(rest).not.toContain('\n')
    for (const word of words) {
      const taken = takeWord(rest)
      expect(taken.word).toBe(word)
      rest = taken.rest
    }
    expect(rest).toBe('')
  })

  test('can be split off even if they are megabytes long', () => {
    const word = `${"it's\n".repeat(200_000)}${'x'.repeat(2_000_000)}`
    const { word: taken, rest } = takeWord(quoteWords([word, 'x'.repeat(2_000_000), 'end']))
    expect(taken === word).toBe(true)
    expect(takeWord(takeWord(rest).rest)).toEqual({ word: 'end', rest: '' })
  })
})

const environment = { HOME: '/home/ada lovelace', NAME: 'a  "b" $(id) *', EMPTY: '' }

/** What a word of executable_command has to become. */
function expanded(word: string): string {
  const values: Readonly<Record<string, string>> = environment
  return word
    .replace(/^~(?=\/|$)/, environment.HOME)
    .replace(/\$(?:([A-Za-z]\w*)|\{([A-Za-z]\w*)\})/g, (_, bare, braced) => values[bare ?? braced] ?? '')
}

describe.each(shells)('a word of executable_command, read by %s', shell => {
  test.each([
    ['~', '/home/ada lovelace'],
    ['~/my tools/$NAME', '/home/ada lovelace/my tools/a  "b" $(id) *'],
    [`~${userInfo().username}/bin`, `${userInfo().homedir}/bin`],
    ['$HOME/bin', '/home/ada lovelace/bin'],
    ['--name=${NAME}x', '--name=a  "b" $(id) *x'],
    ['$EMPTY', ''],
    ['a\\b\\$NAME', 'a\\b\\a  "b" $(id) *'],
    ['$NAME\n', 'a  "b" $(id) *\n'],
  ])('%j is %j', (word, value) => {
    expect(evaluateLines(shell, [expandableWord(word)], environment)).toEqual([[value]])
  })

  test('stays as it is if it has no variable, and no tilde of a user at its beginning', () => {
    const words = 'python a~ ~no_such_user/x ~+/x ~0 $(id) `id` ${NAME:-x} ${ $ * a;b|c&d>e#f "it\'s"'.split(' ')
    const all = [...words, '', '$((1 + 1))', '$1 $$ $? $# $@', 'two\nlines']
    expect(evaluateLines(shell, all.map(expandableWord), environment)).toEqual(all.map(word => [word]))
  })

  const piece = fc.constantFrom(...'a1 ~/$$$\\\\"\'`\n{}()*?é!-', '$NAME', '${NAME}', '$HOME', '${EMPTY}', '$(id)')
  const word = fc.array(piece, { maxLength: 12 }).map(pieces => pieces.join(''))
  // Other names behind a tilde are those of users.
  const named = word.filter(text => !/^~[^/]/.test(text))
  testAny([fc.array(named, { minLength: 300, maxLength: 300 })], few)('has nothing else that is expanded', many => {
    const found = evaluateLines(shell, many.map(expandableWord), environment)
    expect(found).toEqual(many.map(text => [expanded(text)]))
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOption, parametersOf, readArguments } from '../../../src/domain/parameters/arguments.js'
import { testAny } from '../../cases.js'

describe('reading an argument list', () => {
  test.each([
    ['-x', true],
    ['--mean', true],
    ['--mean=-1', true],
    ['-lr=0.1', true],
    ['-0.1', false],
    ['-1e3', false],
    ['-.5E-7', false],
    ['-1abc', true],
    ['-', false],
    ['--', false],
    ['---', false],
    ['', false],
    ['pos', false],
    ['- a sentence', false],
    ['-a sentence', false],
    ['--text=a sentence', true],
  ])('%j is an option: %j', (word, expected) => {
    expect(isOption(word)).toBe(expected)
  })

  test('is told from a number at once, whatever its length', () => {
    expect(isOption(`-${'1'.repeat(1_000_000)}x`)).toBe(true)
  })

  test.each([
    [['a', '--mean', '10', 'b'], { pos_0: 'a', '--mean': '10', pos_1: 'b' }],
    [['--seed', '1', '--seed', '2', '--seed=3'], { '--seed': ['1', '2', '3'] }],
    [['--fast', '--mean', '-0.1'], { '--fast': '', '--mean': '-0.1' }],
    [['--n', '1', '2'], { '--n': '1', pos_0: '2' }],
    [['--text', ''], { '--text': '' }],
    [['--key=a=b', '--none='], { '--key': 'a=b', '--none': '' }],
    [['--flag', '--', '-x'], { '--flag': '', pos_0: '--', '-x': '' }],
    [['--in', '-'], { '--in': '-' }],
    [[], {}],
  ])('%j has the parameters %j', (words, parameters) => {
    expect(parametersOf(words)).toEqual(parameters)
  })

  const word = fc.oneof(fc.constantFrom('--a', '-b', '--a=1', '--', '-', '-1', 'x', ''), fc.string())
  testAny([fc.array(word)])('no word is lost or moved', words => {
    expect([...readArguments(words)].flatMap(argument => argument.words)).toEqual(words)
  })
})

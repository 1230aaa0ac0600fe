import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOption, parametersOf, readArguments } from '../../../src/domain/parameters/arguments.js'
import { testAny } from '../../cases.js'

describe('reading an argument list', () => {
  test('finds options, which are no numbers, sentences or dashes alone', () => {
    const options = ['-x', '--mean', '--mean=-1', '-lr=0.1', '-1abc', '--text=a sentence']
    const others = ['-0.1', '-1e3', '-.5E-7', '-', '--', '---', '', 'pos', '- a sentence', '-a sentence']
    expect([...options, ...others].filter(isOption)).toEqual(options)
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

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Given, isOption, parametersOf, readArguments, wordsOf } from '../../../src/domain/parameters/arguments.js'
import { testAny } from '../../cases.js'

describe('reading an argument list', () => {
  test('finds options, which are no numbers, sentences or dashes alone', () => {
    const options = ['-x', '--mean', '--mean=-1', '-lr=0.1', '-x1', '-info', '--text=a sentence']
    const others = [
      '-0.1',
      '-1e3',
      '-.5E-7',
      '-1,1',
      '-10%',
      '-inf',
      '-NaN',
      '-',
      '--',
      '---',
      '',
      'pos',
      '- a sentence',
      '-a sentence',
    ]
    expect([...options, ...others].filter(isOption)).toEqual(options)
  })

  test('is told from a number at once, whatever its length', () => {
    expect(isOption(`-${'1'.repeat(1_000_000)}x`)).toBe(false)
  })

  test.each([
    [['a', '--mean', '10', 'b'], { pos_0: 'a', '--mean': '10', pos_1: 'b' }],
    [['--seed', '1', '--seed', '2', '--seed=3'], { '--seed': ['1', '2', '3'] }],
    [['--fast', '--mean', '-0.1'], { '--fast': '', '--mean': '-0.1' }],
    [['--n', '1', '2'], { '--n': '1', pos_0: '2' }],
    [['--text', ''], { '--text': [''] }],
    [['--key=a=b', '--none='], { '--key': 'a=b', '--none': [''] }],
    [['--flag', '--', '-x'], { '--flag': '', pos_0: '--', '-x': '' }],
    [['--in', '-'], { '--in': '-' }],
    [['lr=0.1', '+model.size=3', 'lr=', '/data/a=b'], { lr: ['0.1', ''], '+model.size': '3', pos_0: '/data/a=b' }],
    [['--lo', '-inf', '--clip', '-1,1'], { '--lo': '-inf', '--clip': '-1,1' }],
    [
      [['--mode', '-x'], ['--layers', '64', '32'], ['--fast'], 'a'],
      { '--mode': '-x', '--layers': ['64', '32'], '--fast': '', pos_0: 'a' },
    ],
    [[['--lo=', '-x'], ['lr=', '1'], ['--none=']], { '--lo': '-x', lr: '1', '--none': [''] }],
    [[], {}],
  ] satisfies [Given[], object][])('%j has the parameters %j', (given: readonly Given[], parameters) => {
    expect(parametersOf(given)).toEqual(parameters)
  })

  const word = fc.oneof(fc.constantFrom('--a', '-b', '--a=1', '--', '-', '-1', 'x', ''), fc.string())
  testAny([fc.array(word)])('no word is lost or moved', words => {
    expect([...readArguments(words)].flatMap(argument => argument.given)).toEqual(words)
  })

  test('an option that ends in = is one word with its value', () => {
    expect(wordsOf(['a', ['--lo=', '-inf'], ['--hi', '5'], ['--none='], ['--on']])).toEqual([
      'a',
      '--lo=-inf',
      '--hi',
      '5',
      '--none=',
      '--on',
    ])
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wordsOf } from '../../src/domain/parameters/arguments.js'
import { argumentsOf, buildGrid, gridSize } from '../../src/domain/parameters/build-grid.js'
import { readParameterFile } from '../../src/project/parameter-file.js'
import { cases, testAny } from '../cases.js'
import { fileWith } from './temporary.js'

/** The argument lists of all groups that the file makes. */
function groupsOf(yaml: string): string[][] {
  const file = readParameterFile(fileWith(yaml, 'grid.yaml'))
  const grid = buildGrid({ experimentArguments: [], groups: [], ranges: [], values: [], file })
  return Array.from({ length: gridSize(grid) }, (_, index) => wordsOf(argumentsOf(grid, index)))
}

function linesOf(yaml: string): string[] {
  return groupsOf(yaml).map(words => words.join(' '))
}

const range = (axis: string) => `varying_args: {range: {options: {'--x': ${axis}}}}`
const zip = (options: string) => `varying_args: {zip: {options: {${options}}}}`

describe('a parameter file', () => {
  test('combines positionals, groups, ranges and zips', () => {
    const yaml = `fixed_args: {positional: {1: b, 0: a}, options: {--all: yes}}
varying_args:
  groups:
    - options: {--all: no}
    - positional: {0: z}
  range:
    options: {--n: [5, 15, 5]}
    positional: {2: {values: [x, y]}}
  zip: {options: {--a: [1, 2], --b: [p, q]}}
`
    expect(linesOf(yaml).slice(0, 3)).toEqual([
      'a b x --all no --n 5 --a 1 --b p',
      'z b x --all yes --n 5 --a 1 --b p',
      'a b x --all no --n 10 --a 1 --b p',
    ])
    expect(linesOf(yaml).at(-1)).toBe('z b y --all yes --n 10 --a 2 --b q')
    expect(linesOf(yaml)).toHaveLength(2 * 2 * 2 * 2)
  })

  const scalars = '0.10 007 1e-3 12345678901234567890 +5 0x1F 1_000 true No null ~ 2001-01-01 .inf -0.0 a#b 12:30 -v'
  test.each([...scalars.split(' '), 'a b'])('passes the scalar %s on as written', scalar => {
    const words = [scalar, '--x', scalar]
    expect(groupsOf(`fixed_args: {options: {--x: ${scalar}}, positional: {0: ${scalar}}}`)).toEqual([words])
  })

  test.each([
    ["''", ['--x']],
    ['', ['--x']],
    ["{value: ''}", ['--x', '']],
    ['{value: 0.10}', ['--x', '0.10']],
    ['[1, 2.0]', ['--x', '1', '--x', '2.0']],
    ["['', {value: ''}, a]", ['--x', '--x', '', '--x', 'a']],
    ["'it''s'", ['--x', "it's"]],
    ['{words: [64, 0.10]}', ['--x', '64', '0.10']],
    ['[{words: [a, -b]}, -inf]', ['--x', 'a', '-b', '--x', '-inf']],
    ['"tab\\tand \\"quotes\\""', ['--x', 'tab\tand "quotes"']],
    ['|-\n    two\n    lines', ['--x', 'two\nlines']],
  ])('option value %j becomes %j', (value, words) => {
    expect(groupsOf(`fixed_args:\n options:\n  --x: ${value}\n`)).toEqual([words])
  })

  testAny([fc.string({ unit: 'grapheme', minLength: 1 })], { numRuns: cases(50) })(
    'passes any quoted text on byte for byte',
    text => {
      expect(groupsOf(`fixed_args: {options: {--x: ${JSON.stringify(text)}}}`)).toEqual([['--x', text]])
    },
  )

  test.each([
    ['[0.1, 0.4, 0.1]', ['0.1', '0.2', '0.3']],
    ['{start: 2, stop: 0, step: -1}', ['2', '1']],
    ['{values: [007, a b]}', ['007', 'a b']],
    ['{linspace: [0, 1, 3]}', ['0', '0.5', '1']],
    ['{logspace: [-2, 0, 3]}', ['0.01', '0.1', '1']],
  ])('%s varies as %j', (axis, values) => {
    expect(groupsOf(range(axis))).toEqual(values.map(value => ['--x', value]))
  })

  test('an option that ends in = is one word with its value, also without dashes', () => {
    const yaml = "fixed_args: {options: {'--lo=': -x, 'lr=': 1}}\n"
    expect(groupsOf(`${yaml}varying_args: {range: {options: {'+seed=': [0, 2, 1]}}}`)).toEqual([
      ['--lo=-x', 'lr=1', '+seed=0'],
      ['--lo=-x', 'lr=1', '+seed=1'],
    ])
  })

  test('values may be bare flags and repeated options', () => {
    const words = linesOf(range("{values: ['', [1, 2], {value: ''}]}"))
    expect(words).toEqual(['--x', '--x 1 --x 2', '--x '])
  })

  test('several zips multiply, and take ranges as lists', () => {
    const yaml = `varying_args:
  zip:
    - {options: {--a: [1, 2], --b: {linspace: [0, 1, 2]}}}
    - {options: {--c: {start: 0, stop: 4, step: 2}}, positional: {0: [x, y]}}
`
    const first = ['x --a 1 --b 0 --c 0', 'x --a 2 --b 1 --c 0']
    expect(linesOf(yaml)).toEqual([...first, 'y --a 1 --b 0 --c 2', 'y --a 2 --b 1 --c 2'])
  })

  test('shares parts by anchors and merge keys', () => {
    const yaml = `fixed_args: {options: &base {--a: 0.10, --b: 2}}
varying_args:
  groups:
    - options: {<<: *base, --b: 3}
    - options: *base
`
    expect(linesOf(yaml)).toEqual(['--a 0.10 --b 3', '--a 0.10 --b 2'])
  })

  const nothing = ['varying_args:', 'fixed_args: {options: }', 'varying_args: {groups: [], zip: }']
  test.each([...nothing, 'varying_args: {groups: [{options: {}}]}'])('%j varies nothing', yaml => {
    expect(groupsOf(yaml)).toEqual([[]])
  })

  test('a file of very many groups is read whole', () => {
    const count = cases(20_000)
    const groups = Array.from({ length: count }, (_, index) => `    - options: {--seed: ${index}}\n`)
    const lines = linesOf(`varying_args:\n  groups:\n${groups.join('')}`)
    expect(lines).toHaveLength(count)
    expect(lines.at(-1)).toBe(`--seed ${count - 1}`)
  })
})

describe('a mistake in a parameter file', () => {
  const rangeHint = 'a range is [start, stop, step], here '
  const listHint = (list: string) => `${rangeHint}${list}; for these values, write {values: ${list}}`
  const single = 'for these values, write {values: [0, 1, 2]}; for one: {values: [0]}'
  const options = (text: string) => `fixed_args: {options: {${text}}}`
  const positional = (text: string) => `fixed_args: {positional: {${text}}}`
  test.each([
    [range('[5, 51, 0]'), '1:41: varying_args.range.options.--x: step is 0', listHint('[5, 51, 0]')],
    [range('[5, 1, 1]'), /1:41: .*--x: nothing lies between 5 and 1 in steps of 1/, listHint('[5, 1, 1]')],
    [range('[5, 1]'), /--x: expected 3 numbers, found 2/, listHint('[5, 1]')],
    [range('[0, ten, 1]'), /--x: 'ten' is not a number/, listHint('[0, ten, 1]')],
    [range('[0, [1], 1]'), /1:45: .*--x\[1\]: is not a number/, listHint('[0, [1], 1]')],
    [range('[0, 1, 2]'), /--x: is a range of one value, 0: it goes from 0 to 1 in steps of 2/, single],
    [range('{start: 0, stop: 0, step: 1}'), /nothing lies/, `${rangeHint}{start: 0, stop: 0, step: 1}`],
    [range('{linspace: [0, 1, 0]}'), /1:52: .*--x.linspace: the count '0'/, /^linspace is .* count], here \[0, 1, 0]$/],
    [range('{logspace: 3}'), /--x.logspace: expected 3 numbers, found 0/, 'logspace is [start, stop, count], here 3'],
    [range('{values: []}'), /--x.values: is not a list of values/, /\{values: \[a, b\]\}/],
    [range('{start: 0, stop: 1}'), /--x: is none of the known forms/, /\{start: 0, stop: 10, step: 1\}/],
    [range('5'), /1:41: .*--x: is not a range/, /\[0, 10, 1\]/],
    ['fixd_args: {}', /1:1: fixd_args: unknown key.*Did you mean fixed_args.*fixed_args, varying_args/, /fixed_args/],
    [
      'varying_args: {ranges: {}}',
      /1:16: varying_args.ranges: unknown key.*range, groups, zip/,
      /range, groups and zip/,
    ],
    ['fixed_args: {option: {}}', /fixed_args.option: unknown key.*options, positional/, /positional/],
    [options('mean: 1'), '1:24: fixed_args.options.mean: is not an option', "did you mean '--mean'?"],
    [options("'--a=1': 1"), /--a=1: is not an option/, "options are written as in '--mean': 10"],
    [options('--a: []'), /--a: is an empty list/, /a list to repeat the option/],
    [options('--a: [[1]]'), /1:30: .*--a\[0\]: is not a single value/, /a list to repeat/],
    [options('--a: {valu: 1}'), /--a.valu: unknown key/, /\{value: ''\}/],
    [positional('a: 1'), /positional.a: is not the number of a positional/, /0, 1, 2/],
    [positional('0: a, 00: b'), /1:33: .*positional.00: is given twice/, /0, 1, 2/],
    [positional('0: '), /positional.0: has no value/, "an empty string is written {value: ''}"],
    [positional('0: [a]'), /positional.0: is not a single value/, /write a value/],
    ['varying_args: {groups: {options: {}}}', /groups: is not a list/, /groups are a list/],
    [zip('--a: [1, 2], --b: [3]'), /zip: the lists differ in length: --a has 2, --b has 1/, /in step/],
    [zip(''), /zip: contains no list/, /in step/],
    [zip('--a: {start: 0, stop: 1e9, step: 1}'), /--a: has 1000000000 values/, /in step/],
    ['', /the file is empty/, /fixed_args and varying_args/],
    ['- a', /1:1: expected a mapping.*a list/, /fixed_args and varying_args/],
    [options('--a: 1, --a: 2'), /1:32: /, /./],
    ['fixed_args: *nowhere', /nowhere/, /./],
  ])('%j is explained', (yaml, message, hint) => {
    const file = fileWith(yaml, 'grid.yaml')
    const text = typeof message === 'string' ? `${file}:${message}` : expect.stringMatching(message)
    const expected = { message: text, hint: typeof hint === 'string' ? hint : expect.stringMatching(hint), code: 2 }
    expect(() => readParameterFile(file)).toThrow(expect.objectContaining(expected))
    expect(() => readParameterFile(file)).toThrow(`${file}:`)
  })
})

import { describe, expect, test } from 'vitest'
import { wordsOf } from '../../../src/domain/parameters/arguments.js'
import { argumentsOf, buildGrid, type GridInput, gridSize } from '../../../src/domain/parameters/build-grid.js'

const nothing: GridInput = { experimentArguments: [], groups: [], ranges: [], values: [] }

function linesOf(input: Partial<GridInput>): string[] {
  const grid = buildGrid({ ...nothing, ...input })
  return Array.from({ length: gridSize(grid) }, (_, index) => wordsOf(argumentsOf(grid, index)).join(' '))
}

describe('the parameters of a run', () => {
  test.each<[string, Partial<GridInput>, string[]]>([
    ['nothing at all is one group', {}, ['']],
    ['arguments of the experiment', { experimentArguments: ['a', '--b', 'c'] }, ['a --b c']],
    ['groups', { groups: ["--t 'x y' pos", ''] }, ['--t x y pos', '']],
    ['a group replaces what all have', { experimentArguments: ['--b', '1', '--c'], groups: ['--b 2'] }, ['--c --b 2']],
    [
      'several values are replaced together',
      { experimentArguments: ['--l', '6', '4'], groups: ['--l 3 2'] },
      ['--l 3 2'],
    ],
    ['a setting replaces another', { experimentArguments: ['lr=1', 'x'], groups: ['lr=2'] }, ['x lr=2']],
    ['a value with a dash', { experimentArguments: ['--lo', '-inf'], groups: ['--lo -1,1'] }, ['--lo -1,1']],
    ['a range', { ranges: ['--seed 0 3 1'] }, ['--seed 0', '--seed 1', '--seed 2']],
    ['a range that counts down', { ranges: ['--seed 2 -1 -1'] }, ['--seed 2', '--seed 1', '--seed 0']],
    ['values', { values: ["--m small 'very large' -1 ''"] }, ['--m small', '--m very large', '--m -1', '--m ']],
    ['values with a dash', { values: ['--lo -inf -1,1'] }, ['--lo -inf', '--lo -1,1']],
    ['one word each', { ranges: ['--s=0 2 1'], values: ['--m= a'] }, ['--s=0 --m=a', '--s=1 --m=a']],
    [
      'settings',
      { ranges: ['seed 0 2 1'], values: ['+lr=0.1 0.2'] },
      ['seed=0 +lr=0.1', 'seed=1 +lr=0.1', 'seed=0 +lr=0.2', 'seed=1 +lr=0.2'],
    ],
    [
      'groups, ranges, values in this order',
      { groups: ['--g 1', '--g 2'], ranges: ['--r 0 2 1'], values: ['--v x'] },
      ['--g 1 --r 0 --v x', '--g 2 --r 0 --v x', '--g 1 --r 1 --v x', '--g 2 --r 1 --v x'],
    ],
  ])('%s', (_, input, lines) => {
    expect(linesOf(input)).toEqual(lines)
  })

  test('arguments of the command line come after those of the file', () => {
    const file = {
      fixed: { positional: { '0': 'first' }, args: ['--bins', '5'] },
      groups: [{ args: ['--g', 'file'] }],
      ranges: [{ option: '--r', start: '0', step: '1', count: 1 }],
      zips: [{ parts: [{ args: ['--z', '9'] }] }],
    }
    const line = { experimentArguments: ['--x', 'y'], groups: ['--g line'], ranges: ['--s 1 2 1'], values: ['--v w'] }
    expect(linesOf({ file, ...line })).toEqual([
      'first --bins 5 --x y --g file --r 0 --s 1 --z 9 --v w',
      'first --bins 5 --x y --g line --r 0 --s 1 --z 9 --v w',
    ])
  })

  test('a large range takes a few bytes', () => {
    const grid = buildGrid({ ...nothing, ranges: ['--seed 0 100000 1'] })
    expect(gridSize(grid)).toBe(100_000)
    expect(JSON.stringify(grid).length).toBeLessThan(200)
    expect(argumentsOf(grid, 99_999)).toEqual([['--seed', '99999']])
  })

  const rangeHint = expect.stringMatching(/^a range is --option START STOP STEP \(stop excluded\)/)
  const valuesHint = expect.stringMatching(/^values are --option VALUE VALUE …/)
  const doubt = expect.stringMatching(/^write words that belong to no option first, or --\S+=VALUE/)
  const twice = 'give it in one place only'
  const split = 'launch several runs, each with a part of the values'
  test.each<[Partial<GridInput>, string, unknown]>([
    [{ ranges: ['--seed 0 10'] }, '-R "--seed 0 10": expected 3 numbers after --seed, found 2', rangeHint],
    [{ ranges: ['--seed=0 10 1 1'] }, '-R "--seed=0 10 1 1": expected 3 numbers after --seed=, found 4', rangeHint],
    [{ ranges: ['0 10 1'] }, '-R "0 10 1": it does not begin with an option', rangeHint],
    [{ ranges: [''] }, '-R "": it does not begin with an option', rangeHint],
    [{ ranges: ['--a 0 1 1 --b 0 1 1'] }, '-R "--a 0 1 1 --b 0 1 1": one option at a time', rangeHint],
    [{ ranges: ['--seed 0 10 0'] }, '-R "--seed 0 10 0": step is 0', rangeHint],
    [{ ranges: ['--seed 0 1 2'] }, '-R "--seed 0 1 2": a range of one value, 0', rangeHint],
    [{ values: ['--model'] }, '-V "--model": no value is given', valuesHint],
    [{ values: ['--m=1,2'] }, '-V "--m=1,2": values have blanks between them, no commas', '-V "--m 1 2"'],
    [{ values: ['0.1 0.2'] }, '-V "0.1 0.2": it does not begin with an option', valuesHint],
    [
      { experimentArguments: ['--debug', 'data.csv'], groups: ['--debug'] },
      '--debug has 1 word behind it for all groups and 0 words in a group',
      doubt,
    ],
    [
      { experimentArguments: ['--l', '64', '64'], groups: ['--l 128'] },
      '--l has 2 words behind it for all groups and 1 word in a group',
      doubt,
    ],
    [{ values: ['--model a --size b'] }, '-V "--model a --size b": one option at a time', valuesHint],
    [{ groups: ["--a 'b"] }, "-g: the quote ' at character 5 is not closed: --a 'b", expect.stringMatching(/quote/)],

    [
      { experimentArguments: ['--s=4'], ranges: ['--s 0 2 1'] },
      'as a range and in the arguments for all groups',
      twice,
    ],
    [{ groups: ['--s 4'], ranges: ['--s 0 2 1'] }, '--s is given twice: as a range and in a group', twice],
    [{ ranges: ['--s 0 2 1', '--s 2 4 1'] }, '--s is given twice: as a range and as another range', twice],
    [{ ranges: ['--m 0 2 1'], values: ['--m 5 6'] }, '--m is given twice: as a list of values and as a range', twice],

    [{ ranges: ['--a 0 1e9 1'], values: ['--b x y z'] }, ': 1,000,000,000 of --a × 3 of --b', split],
    [{ groups: ['1', '2'], ranges: ['--s 0 50001 1'] }, '100,002 groups are more than the 100,000 that', split],
  ])('%j is refused: %s', (input, message, hint) => {
    const error = { message: expect.stringContaining(message), hint, code: 2 }
    expect(() => linesOf(input)).toThrow(expect.objectContaining(error))
  })

  test('a positional that a parameter file gives twice is refused', () => {
    const range = { positional: '1', start: '0', step: '1', count: 2 }
    const file = { fixed: { positional: { '1': 'x' }, args: [] }, groups: [], ranges: [range], zips: [] }
    expect(() => linesOf({ file })).toThrow('positional 1 is given twice: as a range and in the arguments')
  })

  test('exactly 100,000 groups are accepted', () => {
    expect(gridSize(buildGrid({ ...nothing, groups: ['a', 'b'], ranges: ['--seed 0 50000 1'] }))).toBe(100_000)
  })
})

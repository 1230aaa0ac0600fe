import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parametersOf } from '../../../src/domain/parameters/arguments.js'
import { argumentsOf, buildGrid, gridSize, type ParameterGrid } from '../../../src/domain/parameters/build-grid.js'
import { wordsOfCells } from '../../../src/domain/parameters/words-of-cells.js'
import { testAny } from '../../cases.js'
import { gridsOf } from './grids.js'

/** Two models and a hundred seeds; the cells of model a are even. */
const grid: ParameterGrid = {
  fixed: { args: ['--bins', '20'] },
  groups: [{ args: ['--model', 'a'] }, { args: ['--model', "b's"] }],
  axes: [{ option: '--seed', start: '0', step: '1', count: 100 }],
}

describe('the line that launches some groups of a grid', () => {
  const many = Array.from({ length: 40 }, (_, at) => 2 * at + 20)
  const [a, b] = ['--bins 20 --model a', `--bins 20 --model 'b'"'"'s'`]
  test.each([
    ['one of them', [7], ['-g', `${b} --seed 3`]],
    ['some of a model', [2, 4], ['-V', '--seed 1 2', '-g', a]],
    ['some of both', [8, 9, 10, 11], ['-V', '--seed 4 5', '-g', a, '-g', b]],
    ['many', many, ['-R', '--seed 10 50 1', '-g', a]],
    ['those that are no product', [0, 3], ['-g', `${a} --seed 0`, '-g', `${b} --seed 1`]],
    ['too many that are no product', [0, 3, 4, 7, 8, 11, 12, 15, 16], null],
  ])('%s', (_, cells, words) => {
    expect(wordsOfCells(grid, cells)).toEqual(words)
  })

  const word = fc.constantFrom('--a', '--b', '--c=1', 'x y', '-2', '', "'", '\n')
  const part = fc.record({
    args: fc.array(word, { maxLength: 3 }),
    positional: fc.dictionary(fc.constantFrom('0', '1'), fc.constantFrom('p', '')),
  })
  testAny([gridsOf(fc.constantFrom('--r', '--a'), part), fc.func(fc.boolean())])(
    'launches just these, or there is none',
    (any, isWanted) => {
      const cells = Array.from({ length: gridSize(any) }, (_, index) => index).filter(index => isWanted(index))
      fc.pre(cells.length > 0)
      const words = wordsOfCells(any, cells)
      if (words === null) return
      const given = (flag: string) => words.filter((_, at) => words[at - 1] === flag)
      const launched = buildGrid({
        ...{ experimentArguments: [], groups: given('-g'), ranges: given('-R'), values: given('-V') },
      })
      const texts = (which: ParameterGrid, indexes: readonly number[]) =>
        indexes.map(index => JSON.stringify(Object.entries(parametersOf(argumentsOf(which, index))).sort()))
      const all = Array.from({ length: gridSize(launched) }, (_, index) => index)
      expect(new Set(texts(launched, all))).toEqual(new Set(texts(any, cells)))
      expect(all).toHaveLength(cells.length)
    },
  )
})

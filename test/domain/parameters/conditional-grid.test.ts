import { describe, expect, test } from 'vitest'
import { wordsOf } from '../../../src/domain/parameters/arguments.js'
import { type ConditionalGrid, withoutConditions } from '../../../src/domain/parameters/conditional-grid.js'
import { argumentsOf, gridSize, type ParameterGrid, type Part } from '../../../src/domain/parameters/grid.js'

const part = (...args: string[]): Part => ({ args })
const values = (option: string, ...all: string[]) => ({ parts: all.map(value => part(option, value)) })
const lines = (grid: ParameterGrid) =>
  Array.from({ length: gridSize(grid) }, (_, index) => wordsOf(argumentsOf(grid, index)).join(' '))
const expanded = (grid: Partial<ConditionalGrid>) =>
  lines(withoutConditions({ fixed: part(), groups: [], axes: [], ...grid }))

describe('a grid with conditions', () => {
  const model = values('--model', 'svm', 'sgd')

  test('has an option only in the cells that meet its condition, where a grid would have it', () => {
    const axes = [model, { ...values('--C', '1', '10'), when: { '--model': ['svm'] } }, values('--seed', '0', '1')]
    expect(expanded({ fixed: part('--epochs', '5'), axes })).toEqual([
      '--epochs 5 --model svm --C 1 --seed 0',
      '--epochs 5 --model sgd --seed 0',
      '--epochs 5 --model svm --C 1 --seed 1',
      '--epochs 5 --model sgd --seed 1',
      '--epochs 5 --model svm --C 10 --seed 0',
      '--epochs 5 --model svm --C 10 --seed 1',
    ])
  })

  test('without any has the groups of the same grid in the same order', () => {
    const grid = {
      fixed: part('--a', '1'),
      groups: [part('--b', '1'), part('--b', '2')],
      axes: [model, values('--s', '0', '1')],
    }
    expect(lines(withoutConditions(grid))).toEqual(lines(grid))
  })

  test('may have one option with other values under conditions that exclude each other', () => {
    const axes = [
      model,
      { ...values('--lr', '1'), when: { '--model': ['svm'] } },
      { option: '--lr', start: '2', step: '1', count: 2, when: { '--model': ['sgd'] } },
    ]
    expect(expanded({ axes })).toEqual(['--model svm --lr 1', '--model sgd --lr 2', '--model sgd --lr 3'])
  })

  test('may have conditions on several parameters, on a list of values, and on what another condition gives', () => {
    const axes = [
      values('--model', 'svm', 'sgd', 'mlp'),
      { ...values('--kernel', 'rbf', 'linear'), when: { '--model': ['svm'] } },
      { ...values('--gamma', '1', '2'), when: { '--model': ['svm'], '--kernel': ['rbf'] } },
      { ...values('--lr', '3'), when: { '--model': ['sgd', 'mlp'] } },
    ]
    expect(expanded({ axes }).sort()).toEqual([
      '--model mlp --lr 3',
      '--model sgd --lr 3',
      '--model svm --kernel linear',
      '--model svm --kernel rbf --gamma 1',
      '--model svm --kernel rbf --gamma 2',
    ])
  })

  test('has a group only in the cells that meet its condition', () => {
    const groups = [part('--plain'), { ...part('--deep'), when: { '--model': ['sgd'] } }]
    expect(expanded({ groups, axes: [model] })).toEqual([
      '--plain --model svm',
      '--plain --model sgd',
      '--deep --model sgd',
    ])
  })

  test('compares word for word, also flags and positionals', () => {
    const groups = [part('--amp'), part('--rate', '0.10'), { positional: { 0: 'x' }, args: [] }]
    const flag = { ...values('--scale', '1'), when: { '--amp': [''] } }
    const rate = { ...values('--decay', '2'), when: { '--rate': ['0.10'] } }
    const positional = { ...values('--size', '3'), when: { pos_0: ['x'] } }
    expect(expanded({ groups, axes: [flag, rate, positional] })).toEqual([
      '--amp --scale 1',
      '--rate 0.10 --decay 2',
      'x --size 3',
    ])
  })

  test.each<[string, Partial<ConditionalGrid>]>([
    [
      'when: nothing gives --modle. Did you mean --model?',
      { axes: [model, { ...values('--C', '1'), when: { '--modle': ['svm'] } }] },
    ],
    ['when: no cell has --model: svn', { axes: [model, { ...values('--C', '1'), when: { '--model': ['svn'] } }] }],
    ['when: no cell has --model: x or y', { axes: [model], groups: [{ ...part(), when: { '--model': ['x', 'y'] } }] }],
    [
      '--C is given twice for cells that meet a condition',
      { fixed: part('--C', '2'), axes: [model, { ...values('--C', '1'), when: { '--model': ['svm'] } }] },
    ],
    [
      'the grid has more than the 100,000 groups that a run can have',
      {
        axes: [
          model,
          { option: '--s', start: '0', step: '1', count: 1000, when: { '--model': ['svm'] } },
          { option: '--t', start: '0', step: '1', count: 1000, when: { '--model': ['svm'] } },
        ],
      },
    ],
  ])('is refused: %s', (message, grid) => {
    expect(() => expanded(grid)).toThrow(message)
  })
})

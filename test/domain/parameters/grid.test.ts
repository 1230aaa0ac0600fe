import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wordsOf } from '../../../src/domain/parameters/arguments.js'
import { type Axis, argumentsOf, gridSize, type ParameterGrid, type Part } from '../../../src/domain/parameters/grid.js'
import { anyCharacter, testAny } from '../../cases.js'

/** Options are pairs of words here, so that the model below needs no reading of argument lists. */
type Pairs = readonly (readonly [string, string])[]

interface Model {
  readonly fixed: Pairs
  readonly groups: readonly Pairs[]
  readonly axes: readonly (readonly Pairs[])[]
}

/** The whole product at once, written down as product of nested loops would give it. */
function materialise({ fixed, groups, axes }: Model): string[][] {
  let product = (groups.length > 0 ? groups : [[]]).map(group => {
    const given = new Set(group.map(([option]) => option))
    return [...fixed.filter(([option]) => !given.has(option)), ...group]
  })
  for (const axis of axes) product = axis.flatMap(added => product.map(combined => [...combined, ...added]))
  return product.map(pairs => pairs.flat())
}

const value = fc.oneof(fc.constantFrom('', '-1', '1e-3', 'a b', '-'), fc.stringMatching(/^[^-]/))
const pairsOf = (names: string[], maxLength = 4) =>
  fc.array(fc.tuple(fc.constantFrom(...names), value), { minLength: 1, maxLength })

const model: fc.Arbitrary<Model> = fc.record({
  fixed: fc.oneof(fc.constant([]), pairsOf(['--a', '--b', '-c'])),
  groups: fc.array(fc.oneof(fc.constant([]), pairsOf(['--b', '-c', '--d'])), { maxLength: 4 }),
  axes: fc
    .tuple(
      fc.array(pairsOf(['--e'], 2), { minLength: 1, maxLength: 4 }),
      fc.array(pairsOf(['--f', '--g'], 2), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 4 }).map(count => Array.from({ length: count }, (_, i): Pairs => [['--h', `${i}`]])),
    )
    .chain(axes => fc.shuffledSubarray(axes)),
})

function partOf(pairs: Pairs): Part {
  return { args: pairs.flat() }
}

function gridOf({ fixed, groups, axes }: Model): ParameterGrid {
  const axisOf = (alternatives: readonly Pairs[]): Axis => {
    const isRange = alternatives[0]![0]![0] === '--h'
    if (isRange) return { option: '--h', start: '0', step: '1', count: alternatives.length }
    return { parts: alternatives.map(partOf) }
  }
  return { fixed: partOf(fixed), groups: groups.map(partOf), axes: axes.map(axisOf) }
}

function allArguments(grid: ParameterGrid): string[][] {
  return Array.from({ length: gridSize(grid) }, (_, index) => wordsOf(argumentsOf(grid, index)))
}

describe('a grid', () => {
  testAny([model])('gives every group the arguments of the full product, also after storing it as JSON', given => {
    expect(allArguments(JSON.parse(JSON.stringify(gridOf(given))))).toEqual(materialise(given))
  })

  const anyArgs = fc.array(fc.string({ unit: anyCharacter }))
  testAny([anyArgs])('passes the arguments for all on unchanged if nothing replaces them', args => {
    expect(allArguments({ fixed: { args }, groups: [], axes: [] })).toEqual([args])
  })

  test('puts positionals first, by their numbers, wherever they were given', () => {
    const grid: ParameterGrid = {
      fixed: { positional: { '10': 'last', '0': 'replaced' }, args: ['--all', '1'] },
      groups: [{ positional: { '0': 'first' }, args: ['--own', '2'] }],
      axes: [{ positional: '2', start: '7', step: '1', count: 1 }],
    }
    expect(argumentsOf(grid, 0)).toEqual(['first', '7', 'last', '--all', '1', '--own', '2'])
  })

  test.each([
    ['pos --x 1 --x=2 -v', '--x 3', 'pos -v --x 3'],
    ['--x -1 --y', '--x', '--y --x'],
    ['--x 1', 'pos', '--x 1 pos'],
    ['--x 1', '--x=2 --x=3', '--x=2 --x=3'],
  ])('arguments for all %j with the group %j are %j', (...lines) => {
    const [all, group, expected] = lines.map(line => line.split(' '))
    expect(argumentsOf({ fixed: { args: all! }, groups: [{ args: group! }], axes: [] }, 0)).toEqual(expected)
  })

  test.each([-1, 1, 0.5])('has no group %j when it has one', index => {
    expect(() => argumentsOf({ fixed: { args: [] }, groups: [], axes: [] }, index)).toThrow(RangeError)
  })
})

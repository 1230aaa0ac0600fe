import fc from 'fast-check'
import { parametersOf } from '../../../src/domain/parameters/arguments.js'
import { argumentsOf, gridSize, type ParameterGrid, type Part } from '../../../src/domain/parameters/grid.js'

/**
 * Random grids of up to 81 groups.
 * @param option what ranges vary
 * @param part of which all else consists
 */
export function gridsOf(option: fc.Arbitrary<string>, part: fc.Arbitrary<Part>): fc.Arbitrary<ParameterGrid> {
  const axis = fc.oneof(
    fc.record({ parts: fc.array(part, { minLength: 1, maxLength: 3 }) }),
    fc.record({ option, start: fc.constant('0'), step: fc.constant('1'), count: fc.integer({ min: 1, max: 3 }) }),
  )
  return fc.record({ fixed: part, groups: fc.array(part, { maxLength: 3 }), axes: fc.array(axis, { maxLength: 3 }) })
}

/** Parts with up to three options, with and without a value, and positionals. */
export function partsOf(option: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<Part> {
  const words = fc.oneof(fc.tuple(option, value), fc.tuple(option), fc.tuple(value))
  const args = fc.array(words, { maxLength: 3 }).map(lists => lists.flat())
  const positional = fc.dictionary(fc.constantFrom('0', '1', '2'), value, { maxKeys: 2 })
  return fc.oneof(fc.record({ args }), fc.record({ args, positional }))
}

/** The parameters of all groups of a grid. */
export function groupsOf(grid: ParameterGrid) {
  return Array.from({ length: gridSize(grid) }, (_, index) => parametersOf(argumentsOf(grid, index)))
}

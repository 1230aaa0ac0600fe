import fc from 'fast-check'
import type { ParameterGrid, Part } from '../../../src/domain/parameters/grid.js'

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

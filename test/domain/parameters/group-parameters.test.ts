import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parametersOf } from '../../../src/domain/parameters/arguments.js'
import { argumentsOf, gridSize, type ParameterGrid } from '../../../src/domain/parameters/grid.js'
import { groupParameters } from '../../../src/domain/parameters/group-parameters.js'

const option = fc.constantFrom('--lr', '--seed', '-x', '--model', '--flag')
const word = fc.constantFrom('1', '0.1', 'a', '-1', '', '--', '--lr=3')
const args = fc
  .array(fc.oneof(fc.tuple(option, word), fc.tuple(option), fc.tuple(word)), { maxLength: 3 })
  .map(words => words.flat())
const positional = fc.option(fc.dictionary(fc.constantFrom('0', '1', '2'), word, { maxKeys: 2 }), { nil: undefined })
const part = fc.record({ args, positional }, { requiredKeys: ['args'] })
const axis = fc.oneof(
  fc.record({ parts: fc.array(part, { minLength: 1, maxLength: 3 }) }),
  fc.record({ option, start: fc.constant('0'), step: fc.constant('1'), count: fc.integer({ min: 1, max: 3 }) }),
)
const grid = fc.record({
  fixed: part,
  groups: fc.array(part, { maxLength: 3 }),
  axes: fc.array(axis, { maxLength: 3 }),
}) as unknown as fc.Arbitrary<ParameterGrid>

test('the parameters of each group are those of its argument list, in the same order', () => {
  fc.assert(
    fc.property(grid, given => {
      const parametersAt = groupParameters(given)
      for (let index = 0; index < gridSize(given); index++) {
        const expected = parametersOf(argumentsOf(given, index))
        expect(Object.entries(parametersAt(index))).toEqual(Object.entries(expected))
      }
    }),
    { numRuns: 1000 },
  )
})

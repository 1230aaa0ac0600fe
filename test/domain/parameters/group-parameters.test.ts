import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parametersOf } from '../../../src/domain/parameters/arguments.js'
import { argumentsOf, gridSize } from '../../../src/domain/parameters/grid.js'
import { groupParameters } from '../../../src/domain/parameters/group-parameters.js'
import { gridsOf } from './grids.js'

const option = fc.constantFrom('--lr', '--seed', '-x', '--model', '--flag')
const word = fc.constantFrom('1', '0.1', 'a', '-1', '', '--', '--lr=3')
const args = fc
  .array(fc.oneof(fc.tuple(option, word), fc.tuple(option), fc.tuple(word)), { maxLength: 3 })
  .map(words => words.flat())
const positional = fc.dictionary(fc.constantFrom('0', '1', '2'), word, { maxKeys: 2 })
const part = fc.oneof(fc.record({ args }), fc.record({ args, positional }))

test('the parameters of each group are those of its argument list, in the same order', () => {
  fc.assert(
    fc.property(gridsOf(option, part), given => {
      const parametersAt = groupParameters(given)
      for (let index = 0; index < gridSize(given); index++) {
        const expected = parametersOf(argumentsOf(given, index))
        expect(Object.entries(parametersAt(index))).toEqual(Object.entries(expected))
      }
    }),
    { numRuns: 1000 },
  )
})

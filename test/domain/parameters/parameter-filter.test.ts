import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parametersOf } from '../../../src/domain/parameters/arguments.js'
import { hasParameter, parameterMatcher, readParameterFilter } from '../../../src/domain/parameters/parameter-filter.js'
import { valueMatcher } from '../../../src/domain/parameters/same-value.js'
import { cases, testAny } from '../../cases.js'
import { gridsOf, groupsOf, partsOf } from './grids.js'

test.each([
  ['--lr 0.1 --seed 3', '--lr:0.10 seed:3', true],
  ['--lr 0.1 --seed 3', '--lr:0.1 --seed:4', false],
  ['--lr 0.1 --seed 3', '3', true],
  ['--lr 0.1 --seed 3', '--lr=0.10 seed=3', true],
  ['--lr 0.1 --seed 3', '--lr=1', false],
  ['--lr 0.1 --seed 3', '--seed:0.1', false],
  ['lr=0.1 seed=3', 'lr=0.1', true],
  ['-n 1e-3', 'n:.001', true],
  ['--subject 007', '--subject:7', false],
  ['--subject 007', '--subject:007', true],
  ['--lr 0.1', '--r:0.1', false],
  ['--url http://x:80', '--url:http://x:80', true],
  ['--url http://x:80', 'url:http://x:80', true],
  ['--url http://x:80', 'http://x:80', true],
  ['small large', 'large pos_1:large', true],
  ['small large', 'pos_0:large', false],
  ['--layer 64 --layer 32', '--layer:32', true],
  ['--amp', '--amp: --amp', true],
  ['--amp on', '--amp', true],
  ['--amp on', '--amp:', false],
  ['--amplitude 1', '--amp', false],
  ['-5', '-5', true],
  ['--model constructor', 'toString:x', false],
])('a group with %s matches %s: %s', (words, filters, expected) => {
  const isWanted = parameterMatcher(filters.split(' ').map(readParameterFilter))
  expect(isWanted(parametersOf(words.split(' ')))).toBe(expected)
})

test.each<[string, string, boolean]>([
  ['0.1', '0.10', true],
  ['-0', '0', true],
  ['0.1', '0.1000001', false],
  ['9007199254740993', '9007199254740992', false],
  ['1e-999999999', '1e-999999998', false],
  ['12345678901234567891', '12345678901234567892', false],
  ['12345678901234567891', '12345678901234567891.0', true],
  ['0.1', '0.1000000000000000055511151231257827', false],
  ['1e22', '10000000000000000000000', true],
  ['1e999', '1e998', false],
  ['1.5e-323', '1.4e-323', false],
  ['007', '7', false],
  ['00.5', '0.5', false],
  ['0', '-0.0', true],
  ['', '0', false],
  ['0x10', '16', false],
])('the values %j and %j are the same: %s', (one, other, expected) => {
  expect(valueMatcher(one)(other)).toBe(expected)
})

const option = fc.constantFrom('--lr', '--seed', '-x')
const value = fc.constantFrom('1', '01', '2', '0.1', '0.10', '1.0', 'a')
const grid = gridsOf(option, partsOf(option, value))
const name = fc.option(fc.constantFrom('--lr', '--seed', '-x', 'lr', 'x', 'pos_0', 'pos_1'))
testAny([grid, name, fc.option(value)], { numRuns: cases(2000) })(
  'a parameter is found in a grid exactly if one of the groups has it',
  (given, wantedOption, wantedValue) => {
    const filter = readParameterFilter([wantedOption, wantedValue].filter(each => each !== null).join(':'))
    expect(hasParameter(given, filter)).toBe(groupsOf(given).some(parameterMatcher([filter])))
  },
)

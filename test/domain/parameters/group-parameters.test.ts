import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Given, parametersOf } from '../../../src/domain/parameters/arguments.js'
import { compareGrids } from '../../../src/domain/parameters/compare-grids.js'
import { argumentsOf, gridSize, type ParameterGrid } from '../../../src/domain/parameters/grid.js'
import {
  areDistinct,
  gridParameters,
  groupKeys,
  groupParameters,
} from '../../../src/domain/parameters/group-parameters.js'
import { cellKey, textOfValue } from '../../../src/domain/parameters/same-value.js'
import { cases, testAny } from '../../cases.js'
import { gridsOf, groupsOf, partsOf } from './grids.js'

const option = fc.constantFrom('--lr', '--seed', '-x', '--model', '--flag')
const word = fc.constantFrom('1', '0.1', 'a', '-1', '', '--', '--lr=3')
const grid = gridsOf(option, partsOf(option, word))
const runs = { numRuns: cases(1000) }

testAny([grid], runs)('the parameters of each group are those of its argument list, in the same order', given => {
  const parametersAt = groupParameters(given)
  const expected = groupsOf(given).map(group => Object.entries(group))
  expect(expected.map((_, index) => Object.entries(parametersAt(index)))).toEqual(expected)
})

testAny([grid], runs)('the parameters of a grid are those of its groups', given => {
  const groups = groupsOf(given)
  const names = new Set(groups.flatMap(group => Object.keys(group)))
  const found = gridParameters(given)!
  expect(found.map(({ name }) => name).sort()).toEqual([...names].sort())
  for (const { name, values, count, isEverywhere } of found) {
    const those = groups.flatMap(group => (name in group ? [group[name]!] : []))
    const keys = new Set(those.map(textOfValue))
    expect([count, isEverywhere]).toEqual([keys.size, those.length === groups.length])
    expect(new Set(values).size).toBe(keys.size)
  }
})

testAny([grid], runs)('groups of which none is known to equal another one have different parameters', given => {
  fc.pre(areDistinct(given))
  const keys = groupsOf(given).map(cellKey)
  expect(new Set(keys).size).toBe(keys.length)
})

testAny([grid], runs)('the keys of groups are the same exactly if their parameters are', given => {
  const keyAt = groupKeys(given)
  const groups = groupsOf(given)
  expect(groups.map((_, index) => keyAt(index))).toEqual(groups.map(cellKey))
  const texts = groups.map(group =>
    JSON.stringify(Object.entries(group).sort(([one], [other]) => (one < other ? -1 : 1))),
  )
  expect(new Set(groups.map(cellKey)).size).toBe(new Set(texts).size)
})

test('groups of ranges and of different values are known to differ', () => {
  const part = (...args: string[]) => ({ args })
  const range = { option: '--seed', start: '0', step: '1', count: 9 }
  const differ: ParameterGrid = { fixed: part(), groups: [part('--a', '1'), part('--a', '2')], axes: [range] }
  expect(areDistinct(differ)).toBe(true)
  expect(areDistinct({ ...differ, groups: [part('--a', '1'), part('--a', '1')] })).toBe(false)
})

const keyOf = (args: readonly Given[]) => {
  const entries = Object.entries(parametersOf(args)).map(([name, value]) => [name, textOfValue(value)])
  return JSON.stringify(entries.sort(([one], [other]) => (one! < other! ? -1 : 1)))
}
const withGroups = (groups: readonly Given[][]): ParameterGrid => {
  return { fixed: { args: [] }, axes: [], groups: groups.map(args => ({ args })) }
}

testAny([grid, fc.nat(1000), fc.nat(1000)], runs)(
  'two grids are the same if their groups have the same parameters equally often, in whatever order',
  (given, from, to) => {
    const size = gridSize(given)
    const all = Array.from({ length: size }, (_, index) => argumentsOf(given, (index + from) % size))
    expect(compareGrids(given, withGroups(all))).toEqual({ parameters: [], groups: 'same' })
    const [replaced, by] = [all[0]!, all[to % size]!]
    const changed = compareGrids(given, withGroups([by, ...all.slice(1)]))
    expect(changed.groups === 'same').toBe(keyOf(replaced) === keyOf(by))
    const [before, after] = [new Set(all.map(keyOf)), new Set([by, ...all.slice(1)].map(keyOf))]
    if (changed.groups !== 'same') expect(changed.groups === 'numbers').toBe(before.size === after.size)
    const more = compareGrids(given, withGroups([...all, ['--only', 'here']]))
    expect(more.parameters).toContainEqual({ name: '--only', of: [null, expect.anything()] })
  },
)

test('a range of many values is not written out, and groups that would all have to be read are left alone', () => {
  const range = { option: '--seed', start: '0', step: '1', count: 100_000 }
  expect(gridParameters({ fixed: { args: ['--lr', '1'] }, groups: [], axes: [range] }, 1)).toEqual([
    { name: '--lr', values: ['1'], count: 1, isEverywhere: true },
    { name: '--seed', values: ['0', '99999'], count: 100_000, isEverywhere: true },
  ])
  expect(gridParameters({ fixed: { args: ['--seed', '1'] }, groups: [], axes: [range] }, 1000)).toBeNull()
})

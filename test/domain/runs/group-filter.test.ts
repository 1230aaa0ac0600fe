import { describe, expect, test } from 'vitest'
import { seriesOf } from '../../../src/domain/results/metrics.js'
import { ordered } from '../../../src/domain/results/ordered.js'
import {
  groupSorting,
  type ListedGroup,
  meetsAll,
  readGroupFilter,
  refuseUnknownOptions,
} from '../../../src/domain/runs/group-filter.js'

function groupWith(facts: Partial<ListedGroup>): ListedGroup {
  return {
    ...{ run: 1, index: 0, parameters: {}, state: 'pending', cause: null, started: null, seconds: null, metrics: {} },
    status: { state: 'pending' },
    ...facts,
  }
}

const loss = seriesOf({ values: [3, 1, 2], steps: [1, 2, 3] })

describe('a list of groups', () => {
  test.each<[string[], boolean]>([
    [['acc > 0.9'], true],
    [['acc > 0.9', 'loss < 2'], false],
    [['loss = 2', 'acc!=0.9'], true],
    [['loss:min = 1', 'loss:max>=3'], true],
    [['odd:max = 5'], true],
    [['nan > 0'], false],
    [['nan = NaN'], true],
    [['acc = nan'], false],
    [['a<b > 1'], true],
    [['a and b! > 1'], true],
    [['good = 1'], true],
    [['note > 0'], false],
    [['nothing > 0'], false],
    [['constructor > 0'], false],
  ])('with the conditions %j has the group: %s', (where, expected) => {
    const numbers = { acc: 0.95, nan: Number.NaN, 'odd:max': 5, 'a<b': 2, 'a and b!': 2 }
    const metrics = { ...numbers, loss, good: true, note: 'text' }
    expect(meetsAll(metrics, readGroupFilter({ where }).metrics)).toBe(expected)
  })

  test.each([
    [{ status: ['sad'] }, '--status sad: unknown status'],
    [{ cause: ['oom,sad'] }, '--cause sad: unknown cause'],
    [{ where: ['acc'] }, '--where acc: not a condition'],
    [{ where: ['acc > nan'] }, '--where acc > nan: not a condition'],
    [{ where: ['acc > 1 and loss < 2'] }, '--where acc > 1 and loss < 2: one condition at a time'],
  ])('refuses %j', (given, message) => {
    expect(() => readGroupFilter(given)).toThrow(message)
  })

  test('takes several words between commas', () => {
    const given = { status: ['failed,lost', 'pending'], cause: ['oom, vanished'], host: ['n1,n2'] }
    const words = { statuses: ['failed', 'lost', 'pending'], causes: ['oom', 'vanished'], hosts: ['n1', 'n2'] }
    expect(readGroupFilter(given)).toMatchObject(words)
  })

  test('names the parameters there are if an option is unknown', () => {
    expect(() => refuseUnknownOptions(readGroupFilter({ param: ['--lr:1'] }), ['--seed'])).toThrow(
      '--param --lr: no group has this parameter',
    )
    // These may be values.
    refuseUnknownOptions(readGroupFilter({ param: ['lr:1', 'http://x:80', '3'] }), ['--seed'])
  })

  test.each([
    ['seed', false, ['2', '10', 'a', null]],
    ['--seed', true, ['a', '10', '2', null]],
    ['acc', false, [null, '2', '10', 'a']],
    ['acc', true, ['10', '2', null, 'a']],
  ])('is sorted by %s (reversed: %s), what is missing comes last', (by, descending, expected) => {
    const given: [string | null, number][] = [
      ['10', 0.5],
      ['2', 0.25],
      [null, -Infinity],
      ['a', Number.NaN],
    ]
    const groups = given.map(([seed, acc]) =>
      groupWith({ parameters: seed === null ? {} : { '--seed': seed }, metrics: { acc } }),
    )
    const sorted = ordered(groups, groups.map(groupSorting(by, ['--seed'], ['acc'])), descending)
    expect(sorted.map(({ parameters }) => parameters['--seed'] ?? null)).toEqual(expected)
  })

  test('cannot be sorted by what no group has', () => {
    expect(() => groupSorting('beauty', ['--seed'], ['acc'])).toThrow('--sort beauty: groups cannot be sorted by it')
  })
})

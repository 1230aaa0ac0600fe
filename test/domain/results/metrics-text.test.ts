import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectedColumns } from '../../../src/domain/results/collected.js'
import type { GroupResult } from '../../../src/domain/results/compare.js'
import { type Metrics, metricNames, seriesOf } from '../../../src/domain/results/metrics.js'
import { DigitsReader, metricsReader, metricsText, parseMetrics } from '../../../src/domain/results/metrics-text.js'
import { anyCharacter, cases, testAny } from '../../cases.js'

const number = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0))
const series = fc
  .array(number, { minLength: 1, maxLength: 5 })
  .map(values => seriesOf({ values, steps: [...values.keys()] }))
const text = fc.string({ unit: anyCharacter }).filter(each => !/^(NaN|-?Infinity)$/.test(each))
const metrics: fc.Arbitrary<Metrics> = fc.dictionary(text, fc.oneof(number, series, text, fc.boolean()))

/** JSON has no negative zero. */
const told = (metrics: Metrics) =>
  JSON.stringify(metrics, (_, value) => (typeof value === 'number' ? String(value) : value))

testAny([fc.array(metrics)])('metrics are stored as text and read again as they were, alone or many at once', all => {
  const read = parseMetrics(`[${all.map(metricsText).join()}]`) as Metrics[]
  expect(read.map(told)).toEqual(all.map(told))
})

/** The lines of a table of groups with these metrics. */
function tableOf(metrics: readonly (readonly Metrics[])[]): string[][] {
  const groups = metrics.map(some =>
    some.map((each, index): GroupResult => {
      return {
        run: 1,
        index,
        parameters: {},
        state: 'finished',
        cause: null,
        started: null,
        seconds: null,
        metrics: each,
      }
    }),
  )
  const columns = collectedColumns(groups, new Map())
  return [
    columns.map(({ name }) => name),
    ...groups.flat().map(group => columns.map(({ value }) => String(value(group)))),
  ]
}

describe('of many groups, the wanted metrics are read as if all were', () => {
  const wanted = ['acc', 'b', '1', 'a.b (c)+', '"x":1,', '__proto__', 'größe', 'toString']
  const names = fc.shuffledSubarray([...wanted, 'loss', '[,]{}', '\\', 'at\n'])
  const usual = fc.double({ noNaN: true, noDefaultInfinity: true })
  const values = fc.array(usual, { minLength: 12, maxLength: 12 })
  const kind = fc.constantFrom('alike', 'alike', 'unread', 'other')
  /** Lists of groups, most of which have left the same metrics, all of them numbers. */
  const lists = names.chain(keys =>
    fc.array(
      fc.array(
        fc.tuple(kind, values, metrics).map(([which, numbers, other]): Metrics => {
          if (which === 'other') return other
          return Object.fromEntries(which === 'unread' ? [] : keys.map((key, at) => [key, numbers[at]!]))
        }),
        { maxLength: 4 },
      ),
    ),
  )

  testAny([lists, fc.shuffledSubarray(wanted)], { numRuns: cases(500) })(
    'whatever the groups have left, and in whatever order they were read',
    (all, some) => {
      const there = new Map<string, boolean>()
      const read = metricsReader(there, some)
      for (const groups of all) {
        const expected = groups.map(group => Object.entries(group).filter(([name]) => some.includes(name)))
        const found = read(`[${groups.map(metricsText).join()}]`)
        const sorted = (entries: [string, unknown][]) => told(Object.fromEntries(entries.sort()) as Metrics)
        expect(found.map(metrics => sorted(Object.entries(metrics)))).toEqual(expected.map(sorted))
      }
      expect([...there].sort()).toEqual([...metricNames(all.flat().map(metrics => ({ metrics })))].sort())
    },
  )

  testAny([lists], { numRuns: cases(500) })(
    'and a table of texts is the same if numbers stay the texts that they are',
    all => {
      const texts = all.map(groups => `[${groups.map(metricsText).join()}]`)
      const digits = new DigitsReader()
      const asDigits = texts.map(each => [...digits.read(each)])
      const parsed = texts.map(each => parseMetrics(each) as Metrics[])
      expect(tableOf(digits.isMixed ? parsed : asDigits)).toEqual(tableOf(parsed))
    },
  )

  test('which is not so if some have a number where others have a series', () => {
    const digits = new DigitsReader()
    const one = '[{"acc":0.5}]'
    expect([one, one].map(each => [...digits.read(each)])).toEqual([[{ acc: 0.5 }], [{ acc: '0.5' }]])
    expect(digits.isMixed).toBe(false)
    digits.read('[{"acc":{"last":1,"min":0,"max":1,"minStep":0,"maxStep":1,"count":2}}]')
    expect(digits.isMixed).toBe(true)
    expect(digits.read(one)).toEqual([{ acc: 0.5 }])
  })

  test('and no more texts of numbers are kept than the memory can hold, nor are patterns that do not fit tried for ever', () => {
    const name = 'a'.repeat(200)
    const million = `[${Array(5_000).fill(`{"${name}":1}`).join()}]`
    const kept = new DigitsReader()
    const kinds = Array.from({ length: 60 }, () => typeof kept.read(million).at(4_999)?.[name])
    expect([kinds[1], kinds[30], kinds[59]]).toEqual(['string', 'string', 'number'])

    const missed = new DigitsReader()
    for (const text of ['[{"a":1}]', '[{"b":1}]', '[{"c":1}]', '[{"d":1}]']) missed.read(text)
    expect([...missed.read('[{"d":1}]')]).toEqual([{ d: 1 }])
  })

  test('and their names are known although the others are not parsed', () => {
    const there = new Map<string, boolean>()
    const read = metricsReader(there, ['acc'])
    const text = (acc: number) => `[{"acc":${acc},"loss":1e-7},{},{"acc":-${acc},"loss":2}]`
    expect(read(text(0.5))).toEqual([{ acc: 0.5 }, {}, { acc: -0.5 }])
    expect(read(text(0.25))).toEqual([{ acc: 0.25 }, {}, { acc: -0.25 }])
    expect(read('[{"acc":0.5,"loss":1,"f1":"good"}]')).toEqual([{ acc: 0.5 }])
    expect([...there]).toEqual([
      ['acc', true],
      ['loss', true],
      ['f1', false],
    ])
  })
})

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
  const facts = { run: 1, parameters: {}, state: 'finished', cause: null, started: null, seconds: null } as const
  const groups = metrics.map(some => some.map((each, index): GroupResult => ({ ...facts, index, metrics: each })))
  const columns = collectedColumns(groups, new Map())
  const rows = groups.flat().map(group => columns.map(({ value }) => String(value(group))))
  return [columns.map(({ name }) => name), ...rows]
}

describe('of many groups, the wanted metrics are read as if all were', () => {
  const wanted = ['acc', 'b', '1', 'a.b (c)+', '"x":1,', '__proto__', 'größe', 'toString']
  const names = fc.shuffledSubarray([...wanted, 'loss', '[,]{}', '\\', 'at\n'])
  const usual = fc.double({ noNaN: true, noDefaultInfinity: true })
  const values = fc.array(usual, { minLength: 12, maxLength: 12 })
  const kind = fc.constantFrom('alike', 'alike', 'unread', 'other')
  const left = fc.tuple(kind, values, metrics)
  /** Lists of groups, most of which have left the same metrics, all of them numbers. */
  const lists = fc.tuple(names, fc.array(fc.array(left, { maxLength: 4 }))).map(([keys, all]) => {
    const alike = (numbers: number[]): Metrics => Object.fromEntries(keys.map((key, at) => [key, numbers[at]!]))
    const metricsOf = ([which, numbers, other]: [string, number[], Metrics]) =>
      which === 'other' ? other : which === 'unread' ? {} : alike(numbers)
    return all.map(groups => groups.map(metricsOf))
  })
  const textOf = (groups: readonly Metrics[]) => `[${groups.map(metricsText).join()}]`
  const runs = { numRuns: cases(500) }

  testAny([lists, fc.shuffledSubarray(wanted)], runs)('whatever they have left, and in whatever order', (all, some) => {
    const there = new Map<string, boolean>()
    const read = metricsReader(there, some)
    const sorted = (entries: [string, unknown][]) => told(Object.fromEntries(entries.sort()) as Metrics)
    for (const groups of all) {
      const expected = groups.map(group => Object.entries(group).filter(([name]) => some.includes(name)))
      const found = read(textOf(groups)).map(each => Object.entries(each))
      expect(found.map(sorted)).toEqual(expected.map(sorted))
    }
    expect([...there].sort()).toEqual([...metricNames(all.flat().map(each => ({ metrics: each })))].sort())
  })

  testAny([lists], runs)('and a table of texts is the same if numbers stay the texts that they are', all => {
    const digits = new DigitsReader()
    const asDigits = all.map(groups => [...digits.read(textOf(groups))])
    const parsed = all.map(groups => parseMetrics(textOf(groups)) as Metrics[])
    expect(tableOf(digits.isMixed ? parsed : asDigits)).toEqual(tableOf(parsed))
  })

  test('which is not so if some have a number where others have a series', () => {
    const digits = new DigitsReader()
    const one = '[{"acc":0.5}]'
    expect([one, one].map(each => [...digits.read(each)])).toEqual([[{ acc: 0.5 }], [{ acc: '0.5' }]])
    expect(digits.isMixed).toBe(false)
    digits.read('[{"acc":{"last":1,"min":0,"max":1,"minStep":0,"maxStep":1,"count":2}}]')
    expect(digits.isMixed).toBe(true)
    expect(digits.read(one)).toEqual([{ acc: 0.5 }])
  })

  test('and no more texts of numbers are kept than the memory can hold', () => {
    const name = 'a'.repeat(200)
    const million = `[${Array(5_000).fill(`{"${name}":1}`).join()}]`
    const kept = new DigitsReader()
    const kinds = Array.from({ length: 60 }, () => typeof kept.read(million).at(4_999)?.[name])
    expect([kinds[1], kinds[30], kinds[59]]).toEqual(['string', 'string', 'number'])
  })

  test('and patterns that do not fit are not tried for ever', () => {
    const missed = new DigitsReader()
    for (const key of ['a', 'b', 'c', 'd']) missed.read(`[{"${key}":1}]`)
    expect([...missed.read('[{"d":1}]')]).toEqual([{ d: 1 }])
  })

  test('and their names are known although the others are not parsed', () => {
    const there = new Map<string, boolean>()
    const read = metricsReader(there, ['acc'])
    const text = (acc: number) => `[{"acc":${acc},"loss":1e-7},{},{"acc":-${acc},"loss":2}]`
    expect(read(text(0.5))).toEqual([{ acc: 0.5 }, {}, { acc: -0.5 }])
    expect(read(text(0.25))).toEqual([{ acc: 0.25 }, {}, { acc: -0.25 }])
    expect(read('[{"acc":0.5,"loss":1,"f1":"good"}]')).toEqual([{ acc: 0.5 }])
    expect(Object.fromEntries(there)).toEqual({ acc: true, loss: true, f1: false })
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Metric } from '../../../src/domain/results/metrics.js'
import { compareMetrics, compareTexts, type Verdict } from '../../../src/domain/results/reproduced.js'
import { testAny } from '../../cases.js'

describe('two texts', () => {
  test.each<[string, string, string, number, Verdict]>([
    ['have no difference', 'a 1', 'a 1', 0, 'identical'],
    ['have other numbers, and there is no tolerance', '0.5', '0.5000001', 0, 'differs'],
    ['are within the tolerance', 'acc: 0.5\nloss: 1e-3', 'acc: 0.5000001\nloss: 1.0001e-3', 1e-3, 'within_tolerance'],
    ['have numbers beyond the tolerance', '0.5', '0.51', 1e-3, 'differs'],
    ['write a number in another way', '0.50 1e2', '.5 100', 0, 'within_tolerance'],
    ['have another last digit of a long number', 'id 12345678901234567890', 'id 12345678901234567891', 0, 'differs'],
    ['have other words, whatever the tolerance', 'cat 1', 'dog 1', 0.5, 'differs'],
    ['have a number more', '1 2', '1 2 3', 0.5, 'differs'],
    ['have a blank more', '1 2', '1  2', 0.5, 'differs'],
    ['have another sign', '1e-9', '-1e-9', 1e-3, 'differs'],
    ['have a number and NaN', 'loss 1.0', 'loss nan', 0.5, 'differs'],
    ['have a number and infinity', '1', 'inf', 0.5, 'differs'],
    ['have the same NaN', 'nan 1.0', 'nan 1.00', 0, 'within_tolerance'],
    ['have words that contain infinity', 'information', 'infinityformation', 0.5, 'differs'],
  ])('%s', (_, one, other, rtol, verdict) => {
    expect(compareTexts(one, other, rtol)).toBe(verdict)
  })

  const part = fc.oneof(fc.double().map(String), fc.constantFrom(' ', ',', 'acc', '\n', '-', '.'))
  const text = fc.array(part).map(parts => parts.join(''))
  const tolerance = fc.double({ min: 0, max: 1, noNaN: true })
  testAny([text, text, tolerance])('compare the same from both sides', (one, other, rtol) => {
    expect(compareTexts(one, other, rtol)).toBe(compareTexts(other, one, rtol))
    expect(compareTexts(one, one, rtol)).toBe('identical')
    if (compareTexts(one, other, rtol / 2) !== 'differs') expect(compareTexts(one, other, rtol)).not.toBe('differs')
  })
})

describe('a metric', () => {
  const series = { last: 1, min: 0, max: 1, minStep: 0, maxStep: 9, count: 10 }
  test.each<[string, Metric | undefined, Metric | undefined, number, Verdict]>([
    ['is identical', 1, 1, 0, 'identical'],
    ['is identical if it is not a number both times', Number.NaN, Number.NaN, 0, 'identical'],
    ['differs from one that is not a number', 1, Number.NaN, 0.9, 'differs'],
    ['differs from infinity', 1, Number.POSITIVE_INFINITY, 0.9, 'differs'],
    ['is within the tolerance', 1, 1.0001, 1e-3, 'within_tolerance'],
    ['is missing', 1, undefined, 0, 'missing'],
    ['is added', undefined, 1, 0, 'added'],
    ['differs as a text', 'a', 'b', 0.9, 'differs'],
    ['differs between a text and a number', '1', 1, 0.9, 'differs'],
    ['is identical as a series', series, { ...series }, 0, 'identical'],
    ['differs as a series with another range', series, { ...series, max: 2 }, 0, 'differs'],
    ['differs from a series', 1, series, 0.9, 'differs'],
  ])('%s', (_, one, other, rtol, verdict) => {
    expect(compareMetrics(one, other, rtol)).toBe(verdict)
  })
})

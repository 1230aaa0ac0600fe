import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measuredText, valueText } from '../../../src/domain/results/number-text.js'
import { testAny } from '../../cases.js'

test.each([
  [0.97154, 0.00416, '0.972 ± 0.004'],
  [12.07, 0.3, '12.1 ± 0.3'],
  [0.0912, 0.0104, '0.091 ± 0.010'],
  [0.0912, 0.0196, '0.09 ± 0.02'],
  [1.2345e-5, 4e-7, '1.23e-05 ± 4e-07'],
  [1.2345e-5, 4e-5, '1e-05 ± 4e-05'],
  [123.4, 17.3, '123 ± 17'],
  [1234.5, 230, '1200 ± 200'],
  [5e8, 1.5e6, '5.000e+08 ± 1.5e+06'],
  [0, 0.02, '0.00 ± 0.02'],
  [-0.5, 0.02, '-0.50 ± 0.02'],
  [0.5, 0, '0.5 ± 0'],
  [0.97333, null, '0.9733'],
  [Number.NaN, Number.NaN, 'NaN ± NaN'],
  [Number.POSITIVE_INFINITY, null, 'Infinity'],
])('%d with a deviation of %d is printed as %s', (mean, sd, text) => {
  expect(measuredText(mean, sd)).toBe(text)
})

test.each([
  [0.1, '0.1'],
  [1 / 3, '0.3333'],
  [123_456.7, '123457'],
  [1.5e-7, '1.5e-07'],
  [20_000_000, '2e+07'],
  [0, '0'],
  [0.99999, '1.000'],
  [-99.99999, '-100.0'],
  [2.9999999999999996, '3'],
  [0.1 + 0.2, '0.3'],
])('%d alone is printed as %s', (value, text) => {
  expect(valueText(value)).toBe(text)
})

const number = fc.double({ min: -1e9, max: 1e9, noNaN: true })
const deviation = fc.double({ min: 1e-9, max: 1e6, noNaN: true })
testAny([number, deviation])('what is printed differs from the mean by less than the deviation', (mean, sd) => {
  fc.pre(Math.abs(mean) < sd * 1e10)
  const [shown, deviated] = measuredText(mean, sd).split(' ± ').map(Number)
  expect(Math.abs(shown! - mean)).toBeLessThanOrEqual(sd * 0.6)
  expect(Math.abs(deviated! - sd)).toBeLessThanOrEqual(sd * 0.35)
})

import Big from 'big.js'
import { UserError } from '../../errors.js'
import { MAX_GROUPS } from './limits.js'

/** Numbers from `start` in steps of `step`, as decimal text; it stays small, whatever the count. */
export interface Range {
  readonly start: string
  readonly step: string
  readonly count: number
}

/** The largest exponent of a double: no script reads larger numbers. */
const LARGEST_EXPONENT = 308

/**
 * The numbers from `start` to `stop` (excluded), exact in decimals.
 * @throws UserError whose message is only the reason: the caller knows where the range was written.
 */
export function makeRange(start: string, stop: string, step: string): Range {
  const first = decimal(start)
  const stride = decimal(step)
  const distance = decimal(stop).minus(first)
  if (stride.eq(0)) throw new UserError('step is 0')
  const Whole = Big()
  Whole.DP = 0
  Whole.RM = Big.roundUp
  const count = new Whole(distance).div(stride)
  if (count.lte(0)) throw new UserError(`nothing lies between ${start} and ${stop} in steps of ${step}`)
  return { start: first.toFixed(), step: stride.toFixed(), count: Number(count.toFixed()) }
}

/**
 * Whether three numbers that make a range of one value were probably meant as a list of values: `0 1 2` goes from 0 to 1 in steps
 * of 2, and `-1 0 1` from -1 to 0 in steps of 1. `0 1 1` may be a range whose end was computed.
 */
export function looksLikeValues(start: string, stop: string, step: string): boolean {
  const [first, second, third] = [decimal(start), decimal(stop), decimal(step)]
  const distance = second.minus(first)
  if (third.times(distance).lte(0)) return false
  return third.abs().gt(distance.abs()) || (third.eq(distance) && second.eq(0))
}

/** The value at `index` (from 0), in the shortest notation without an exponent: `3`, `0.3`. */
export function rangeValue(range: Range, index: number): string {
  const start = Number(range.start)
  const distance = Number(range.step) * index
  // The sum may be a safe integer although one of these was rounded.
  const isExact =
    Number.isSafeInteger(start) && Number.isSafeInteger(distance) && Number.isSafeInteger(start + distance)
  const isWhole = !range.start.includes('.') && !range.step.includes('.')
  return isWhole && isExact ? String(start + distance) : new Big(range.step).times(index).plus(range.start).toFixed()
}

/**
 * `count` evenly spaced numbers from `start` to `stop`, both included; exact if decimals can be, else the nearest
 * double.
 * @throws UserError whose message is only the reason.
 */
export function linspace(start: string, stop: string, count: string): string[] {
  const first = decimal(start)
  const last = decimal(stop)
  const length = /^\d+$/.test(count) ? Number(count) : 0
  if (length < 1 || length > MAX_GROUPS) {
    throw new UserError(`the count '${count}' is not a whole number from 1 to ${MAX_GROUPS.toLocaleString('en-US')}`)
  }
  if (length === 1) return [first.toFixed()]
  const intervals = length - 1
  return Array.from({ length }, (_, i) => quotient(first.times(intervals - i).plus(last.times(i)), intervals))
}

/**
 * `count` numbers from 10^start to 10^stop, both included, evenly spaced in the exponent; whole powers are exact.
 * @throws UserError whose message is only the reason.
 */
export function logspace(start: string, stop: string, count: string): string[] {
  for (const exponent of [start, stop]) {
    if (decimal(exponent).abs().gt(LARGEST_EXPONENT)) throw new UserError(`10^${exponent} is out of range`)
  }
  return linspace(start, stop, count).map(exponent => {
    const power = /^-?\d+$/.test(exponent) ? `1e${exponent}` : 10 ** Number(exponent)
    return new Big(power).toFixed()
  })
}

function decimal(text: string): Big {
  let value: Big
  try {
    value = new Big(text)
  } catch {
    throw new UserError(`'${text}' is not a number`)
  }
  if (Math.abs(value.e) > LARGEST_EXPONENT) throw new UserError(`${text} is out of range`)
  return value
}

function quotient(numerator: Big, divisor: number): string {
  const Precise = Big()
  // A divisor below 10^5 adds at most 16 decimals to a quotient that ends (2^16 < 10^5 < 2^17).
  Precise.DP = Math.max(0, numerator.c.length - 1 - numerator.e) + 20
  const value = new Precise(numerator).div(divisor)
  return (value.times(divisor).eq(numerator) ? value : new Big(Number(value.toFixed()))).toFixed()
}

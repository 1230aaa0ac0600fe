import fc from 'fast-check'
import { seed } from '../faults/seed.js'

/** How an execution is to end, and after how many seconds. */
export interface Fate {
  readonly seconds: number
  /** An exit code, or KILL. */
  readonly how: string
}

const drawn = { seed, numRuns: 1 }

/** How each group is to end by itself: most well; some of the first go on for longer than their time limit. */
export function fatesOf(count: number): Fate[] {
  const how = fc.constantFrom(...Array<string>(16).fill('0'), '3', '3', 'KILL')
  const short = fc.record({ seconds: fc.integer({ min: 1, max: 18 }), how })
  const long = { seconds: 600, how: '0' }
  const fate = fc.record({ short, isLong: fc.nat(20).map(number => number === 0) })
  const fates = fc.sample(fc.noBias(fate), { seed, numRuns: count })
  // The first is, in a short weekend too.
  return fates.map((drawn, at) => (at === 0 || (drawn.isLong && at < count / 8) ? long : drawn.short))
}

/** The same things in a random order. */
export function shuffled<Value>(values: readonly Value[]): Value[] {
  const whole = { minLength: values.length, maxLength: values.length }
  return fc.sample(fc.noBias(fc.shuffledSubarray([...values], whole)), drawn)[0]!
}

/** Chooses, always the same for the same questions. */
export function chooser(): <Value>(values: readonly Value[]) => Value | undefined {
  const numbers = fc.sample(fc.noBias(fc.nat()), { seed, numRuns: 1000 })
  let asked = 0
  return values => values[numbers[asked++ % numbers.length]! % values.length]
}

/** What repeated measurements say together. */
export interface Summary {
  readonly mean: number
  /** The sample standard deviation (over n - 1); null for one value. */
  readonly sd: number | null
  readonly count: number
  readonly min: number
  readonly max: number
}

/** How confidence intervals of the mean are computed: by Student's t distribution, or by drawing samples again. */
export type IntervalMethod = { readonly method: 't' } | { readonly method: 'bootstrap'; readonly seed: number }

/** How a method is written: `t`, `bootstrap`, or with the seed of its random numbers `bootstrap:SEED`. */
export const intervalText = /^(?:t|bootstrap(?::(\d{1,9}))?)$/

/** The confidence of intervals. */
export const confidence = 0.95

/** Divided by this, the largest double has room for sums of as many values; as a power of two, it takes no digits from them. */
export const room = 2 ** 22

/** @param values at least one; a value that is NaN makes all but the count NaN */
export function summarize(values: readonly number[]): Summary {
  const count = values.length
  // Most comparisons are of single groups.
  if (count === 1) return { mean: values[0]!, sd: null, count, min: values[0]!, max: values[0]! }
  const mean = sum(values) / count
  const min = values.reduce((least, value) => (least <= value ? least : Number.isNaN(least) ? least : value))
  const max = values.reduce((most, value) => (most >= value ? most : Number.isNaN(most) ? most : value))
  // The mean of equal values would be rounded, and of very large ones the deviation would not be a number.
  if (min === max && Number.isFinite(min)) return { mean: min, sd: 0, count, min, max }
  const isTooLarge = !(Number.isFinite(mean) && Number.isFinite(max - min))
  if (isTooLarge && Number.isFinite(min) && Number.isFinite(max)) {
    const small = summarize(values.map(value => value / room))
    // The rounding of the mean may have led out of what a double holds.
    return { mean: Math.min(Math.max(small.mean * room, min), max), sd: small.sd! * room, count, min, max }
  }
  // Scaled, since the square of a very small or very large number is 0 or infinite.
  const scale = max - min
  const deviations = values.map(value => (value - mean) / scale)
  // The second term corrects the rounding of the mean.
  const squares = sum(deviations.map(deviation => deviation * deviation)) - sum(deviations) ** 2 / count
  return { mean, sd: scale * Math.sqrt(Math.max(squares, 0) / (count - 1)), count, min, max }
}

/** Neumaier's sum, which does not lose small values beside large ones. */
function sum(values: readonly number[]): number {
  let [total, lost] = [0, 0]
  for (const value of values) {
    const next = total + value
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total
    total = next
  }
  return Number.isFinite(total) ? total + lost : total
}

/**
 * The interval that holds the mean of the population with this confidence, by Student's t distribution.
 * @returns null for one value
 */
export function confidenceInterval({ mean, sd, count }: Summary): readonly [number, number] | null {
  if (sd === null) return null
  const t = tQuantile((1 + confidence) / 2, count - 1)
  const product = t * sd
  const half = Number.isFinite(product) ? product / Math.sqrt(count) : t * (sd / Math.sqrt(count))
  return [mean - half, mean + half]
}

/** The value below which a part of Student's t distribution lies. @param part above 0.5 and below 1 @param freedom a whole number */
export function tQuantile(part: number, freedom: number): number {
  let [low, high] = [0, 1]
  while (tBelow(high, freedom) < part) high *= 2
  for (let step = 0; step < 200 && high - low > Number.EPSILON * high; step++) {
    const middle = (low + high) / 2
    if (tBelow(middle, freedom) < part) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The part of Student's t distribution below a value, by the finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4. */
function tBelow(t: number, freedom: number): number {
  const angle = Math.atan2(t, Math.sqrt(freedom))
  const [sine, square] = [Math.sin(angle), freedom / (freedom + t * t)]
  const isOdd = freedom % 2 === 1
  let [sum, term] = [0, isOdd ? Math.sqrt(square) : 1]
  for (let power = isOdd ? 3 : 2; power <= freedom; power += 2) {
    sum += term
    term *= ((power - 1) / power) * square
  }
  return 0.5 + (isOdd ? (angle + sine * sum) / Math.PI : (sine * sum) / 2)
}

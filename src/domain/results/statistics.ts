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

/** The value below which a part of Student's t distribution lies. @param part above 0.5 and below 1 */
export function tQuantile(part: number, freedom: number): number {
  let [low, high] = [0, 1]
  const tail = (t: number) => regularizedBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
  while (tail(high) > 1 - part) high *= 2
  for (let step = 0; step < 200 && high - low > Number.EPSILON * high; step++) {
    const middle = (low + high) / 2
    if (tail(middle) > 1 - part) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The regularized incomplete beta function, by its continued fraction (Lentz). */
function regularizedBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1
  // The fraction converges fast on this side.
  if (x > (a + 1) / (a + b + 2)) return 1 - regularizedBeta(1 - x, b, a)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a
  const tiny = 1e-300
  let [fraction, c, d] = [1, 1, 0]
  for (let step = 0; step < 10_000; step++) {
    const m = Math.floor(step / 2)
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const term = step === 0 ? 1 : step % 2 === 1 ? odd : even
    d = 1 / nonZero(1 + term * d)
    c = nonZero(1 + term / c)
    fraction *= c * d
    if (Math.abs(1 - c * d) < 1e-15 && step > 0) break
  }
  return front * (fraction - 1)

  function nonZero(value: number): number {
    return Math.abs(value) < tiny ? tiny : value
  }
}

const lanczos = [
  ...[0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059],
  ...[12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7],
]

/** The logarithm of the gamma function of a positive number, by Lanczos' approximation. */
function logGamma(value: number): number {
  if (value < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * value)) - logGamma(1 - value)
  const x = value - 1
  const series = lanczos.reduce(
    (total, coefficient, at) => (at === 0 ? coefficient : total + coefficient / (x + at)),
    0,
  )
  const t = x + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(series)
}

import { confidence, room } from './statistics.js'

/** How often a sample is drawn again. */
export const resamples = 9_999

/**
 * The interval that holds the mean of the population with this confidence, by the percentile bootstrap: between quantiles of
 * the means of samples that are drawn from the values, with replacement. It depends on the values and the seed alone, not on
 * their order or the machine.
 * @param seed a whole number from 0 to 2^32 - 1
 * @returns null for one value; NaN if a value is
 */
export function bootstrapInterval(values: readonly number[], seed: number): readonly [number, number] | null {
  const count = values.length
  if (count < 2) return null
  const sorted = Float64Array.from(values).sort()
  const [least, most] = [sorted[0]!, sorted[count - 1]!]
  if (!(Number.isFinite(least) && Number.isFinite(most))) return [Number.NaN, Number.NaN]
  if (!Number.isFinite((most - least) * count)) {
    const small = values.map(value => value / room)
    const [low, high] = bootstrapInterval(small, seed)!
    return [low * room, high * room]
  }
  // Distances from a value in their middle lose fewer digits in sums than the values themselves.
  const middle = sorted[count >> 1]!
  const distances = sorted.map(value => value - middle)
  const next = randomBits(seed)
  const means = new Float64Array(resamples)
  for (let sample = 0; sample < resamples; sample++) {
    let sum = 0
    // The product is exact, since there are fewer than 2^21 values.
    for (let draw = 0; draw < count; draw++) sum += distances[Math.floor((next() * count) / 2 ** 32)]!
    means[sample] = sum / count
  }
  means.sort()
  const tail = (1 - confidence) / 2
  return [middle + quantile(means, tail), middle + quantile(means, 1 - tail)]
}

/** The quantile of sorted values; between two of them it is interpolated, as numpy does. */
function quantile(sorted: Float64Array, part: number): number {
  const place = part * (sorted.length - 1)
  const below = Math.floor(place)
  const [low, high] = [sorted[below]!, sorted[Math.min(below + 1, sorted.length - 1)]!]
  return low + (high - low) * (place - below)
}

/** Random whole numbers from 0 to 2^32 - 1: xoshiro128** by Blackman and Vigna, started by splitmix32. */
export function randomBits(seed: number): () => number {
  let mixed = seed
  const start = () => {
    mixed = (mixed + 0x9e3779b9) | 0
    let bits = mixed ^ (mixed >>> 16)
    bits = Math.imul(bits, 0x21f0aaad)
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
    return bits ^ (bits >>> 15)
  }
  let [a, b, c, d] = [start(), start(), start(), start()]
  return () => {
    const product = Math.imul(b, 5)
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
    return result
  }
}

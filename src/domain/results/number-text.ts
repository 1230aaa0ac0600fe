/**
 * A measured value as papers print it: the digits follow the deviation, of which one digit is shown, or two if it begins
 * with 1: `0.972 ± 0.004`, `12.1 ± 0.3`, `1.23e-05 ± 4e-07`.
 * @param sd null for a single value, which gets four digits
 */
export function measuredText(mean: number, sd: number | null): string {
  if (sd === null) return valueText(mean)
  if (!Number.isFinite(mean) || !Number.isFinite(sd) || sd === 0) return `${valueText(mean)} ± ${valueText(sd)}`
  const [first, exponent] = parts(sd, 2)
  // The exponent of the last digit that is shown.
  const last = exponent - (first.startsWith('1') ? 1 : 0)
  const largest = Math.max(Math.abs(mean), sd)
  if (largest >= 1e-4 && largest < 1e6 && last < 3) return `${fixed(mean, last)} ± ${fixed(sd, last)}`
  return `${scientific(mean, last)} ± ${scientific(sd, last)}`
}

/** Parts of a number that computing in double precision may add or lose. */
const rounding = 1e-12

/**
 * A number with the digits that are needed to tell it from others, at most `digits`: `0.9733`, `12`, `1.5e-05`. A number that
 * is whole only when rounded shows it: `1.000`.
 */
export function valueText(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (Number.isInteger(value) && size < 1e6) return String(value)
  const [digit, exponent] = parts(value, digits)
  if (size >= 1e-4 && size < 1e6) {
    const text = value.toPrecision(Math.max(digits, exponent + 1))
    const rounded = Number(text)
    // An accuracy of 0.99999 is not 1.
    return Number.isInteger(rounded) && Math.abs(value - rounded) > rounding * size ? text : String(rounded)
  }
  return `${Number(digit)}${exponentText(exponent)}`
}

/** Rounded to a power of ten. */
function fixed(value: number, last: number): string {
  return last <= 0 ? value.toFixed(-last) : String(Math.round(value / 10 ** last) * 10 ** last)
}

function scientific(value: number, last: number): string {
  if (value === 0) return '0'
  const [, exponent] = parts(value, 1)
  const [digits, shown] = parts(value, Math.min(Math.max(exponent - last, 0), 15) + 1)
  return `${digits}${exponentText(shown)}`
}

/** The digits of a number and its exponent, after rounding to this many digits. */
function parts(value: number, digits: number): [string, number] {
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e')
  return [mantissa!, Number(exponent)]
}

/** As Python and C write it. */
function exponentText(exponent: number): string {
  return `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

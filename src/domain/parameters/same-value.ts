import Big from 'big.js'

/** Whether a text is a decimal number: `3`, `-0.10`, `1e-3`. */
export function isNumberText(text: string): boolean {
  return /^-?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text)
}

/** Smaller doubles have fewer digits. */
const smallest = 1e-300

/** Whether a text with zeros in front is rather a name than a number, such as subject 007, which a script may tell from 7. */
function isPadded(text: string): boolean {
  return /^-?0\d/.test(text)
}

/** Whether a double stands for the number of a text: too large ones would become infinite, too small ones lose their digits. */
export function isDoubleText(text: string): boolean {
  if (!isNumberText(text) || isPadded(text)) return false
  const isZero = !/[1-9]/.test(text.replace(/e.*/i, ''))
  return isZero || (Number.isFinite(Number(text)) && Math.abs(Number(text)) >= smallest)
}

/** The exact number that a text stands for; null if it is none. */
export function decimalOf(text: string): Big | null {
  // Big takes no point without digits behind it.
  return isNumberText(text) ? new Big(text.replace(/\.(?=e|$)/i, '')) : null
}

/**
 * A key that is the same for all ways to write a number, and for nothing else: a number if a double stands for it alone, or
 * its digits. Long seeds may differ only in digits that a double does not have.
 */
export function valueKey(text: string): string | number {
  if (!isNumberText(text) || isPadded(text)) return text
  const number = Number(text)
  const size = Math.abs(number)
  if (text.length <= exactDigits && size >= smallest && size < Number.POSITIVE_INFINITY) return number
  const decimal = decimalOf(text)!
  return Number.isFinite(number) && decimal.eq(number) ? number : String(decimal)
}

/** So many digits of a number are never lost in a double. */
const exactDigits = 15

/** Whether two values of parameters are the same. See {@link valueKey}: `0.10` is `0.1`. */
export function isSameValue(one: string, other: string): boolean {
  return one === other || valueKey(one) === valueKey(other)
}

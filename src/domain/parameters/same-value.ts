import Big from 'big.js'

/** Whether a text is a decimal number: `3`, `-0.10`, `1e-3`. */
export function isNumberText(text: string): boolean {
  return /^-?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text)
}

/** The exact number that a text stands for; null if it is none. */
export function decimalOf(text: string): Big | null {
  // Big takes no point without digits behind it.
  return isNumberText(text) ? new Big(text.replace(/\.(?=e|$)/i, '')) : null
}

/** A key that is the same for all ways to write a number. */
export function valueKey(text: string): string | number {
  return isNumberText(text) ? Number(text) : text
}

/** Whether two values of parameters are the same. Numbers are compared by their value: `0.10` is `0.1`. */
export function isSameValue(one: string, other: string): boolean {
  if (one === other) return true
  // Doubles are too coarse for long numbers.
  return valueKey(one) === valueKey(other) && (decimalOf(one)?.eq(decimalOf(other)!) ?? false)
}

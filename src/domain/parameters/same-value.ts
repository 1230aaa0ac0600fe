import Big from 'big.js'
import { quoteWords } from '../text/shell-text.js'

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

/** A double never loses this many digits of a number. */
const exactDigits = 15

/** The value of a parameter, or its values if it has several. */
export type ParameterValue = string | readonly string[]

/**
 * The same for a parameter that may have several values. A list of values differs from one value with blanks, since no argument
 * contains the character that joins the list.
 */
export function parameterKey(value: ParameterValue): string | number {
  return typeof value === 'string' ? valueKey(value) : value.join('\0')
}

/** Texts of different values. They have quotes only where they would be the same: `--name 'a b'` and `--name a --name b`. */
export function parameterTexts(values: readonly ParameterValue[]): string[] {
  const texts = values.map(value => (typeof value === 'string' ? value : value.join(' ')))
  if (values.every(value => typeof value === 'string')) return texts
  return new Set(texts).size === texts.length ? texts : values.map(value => quoteWords([value].flat()))
}

/** Whether two values of parameters are the same. See {@link valueKey}: `0.10` is `0.1`. */
export function isSameValue(one: string, other: string): boolean {
  return one === other || valueKey(one) === valueKey(other)
}

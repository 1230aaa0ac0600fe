import Big from 'big.js'
import { quoteWords } from '../text/shell-text.js'

/** Whether a text is a decimal number: `3`, `-0.10`, `1e-3`. */
export function isNumberText(text: string): boolean {
  return /^-?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text)
}

/** Smaller doubles have fewer digits. */
const smallest = 1e-300

/**
 * Whether a text is rather a name than a number: subject 007, which a script may tell from 7, or a hash that happens to have no other
 * letter than an e, such as 12e45 and 0e12. People write 50e6, but no number of that size with several digits before its e.
 */
function isName(text: string): boolean {
  if (/^-?0\d/.test(text)) return true
  // Most numbers have none, and a launch or a comparison asks for many.
  if (!text.includes('e') && !text.includes('E')) return false
  const [, digits, exponent] = /^(\d+)e(\d+)$/i.exec(text) ?? []
  return digits === '0' ? exponent !== '0' : digits !== undefined && digits.length > 1 && Number(text) >= largestTyped
}

/** JavaScript and others write larger numbers with one digit before the e. */
const largestTyped = 1e21

/** Whether a double stands for the number of a text: too large ones would become infinite, too small ones lose their digits. */
export function isDoubleText(text: string): boolean {
  if (!isNumberText(text) || isName(text)) return false
  const isZero = !/[1-9]/.test(text.replace(/e.*/i, ''))
  return isZero || (Number.isFinite(Number(text)) && Math.abs(Number(text)) >= smallest)
}

/** The exact number that a text stands for; null if it is none. */
function decimalOf(text: string): Big | null {
  // Big takes no point without digits behind it.
  return isNumberText(text) ? new Big(text.replace(/\.(?=e|$)/i, '')) : null
}

/**
 * A key that is the same for all ways to write a number, and for nothing else: a number if a double stands for it alone, or
 * its digits. Long seeds may differ only in digits that a double does not have.
 */
function valueKey(text: string): string | number {
  if (!isNumberText(text) || isName(text)) return text
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

/** A text of a value. A list of values differs from one value with blanks: no argument contains the character behind them. */
export function textOfValue(value: ParameterValue): string {
  return typeof value === 'string' ? value : value.map(each => `${each}\0`).join('')
}

/**
 * What tells the cell of a group from others, in a text: its parameters with their values as they were typed, in whatever order they
 * came. `--a=1` is `--a 1`; `0.1` and `0.10` are two cells.
 */
export function cellKey(parameters: Readonly<Record<string, ParameterValue>>): string {
  let key = ''
  for (const name of Object.keys(parameters).sort()) key += keyOfParameter(name, parameters[name]!)
  return key
}

/** The part of a key that stands for one parameter. */
export function keyOfParameter(name: string, value: ParameterValue): string {
  // No argument contains the character between them.
  return typeof value === 'string' ? `${name}\0=${value}\0` : `${name}\0${JSON.stringify(value)}\0`
}

/** The different values of a parameter, in the order in which they come: other words are another value. */
export class DifferentValues {
  readonly values: ParameterValue[] = []
  private readonly byText = new Map<string, number>()

  /** The place of a value, or of the equal one that came before it, among the different ones. */
  placeOf(value: ParameterValue): number {
    const text = textOfValue(value)
    const known = this.byText.get(text)
    if (known !== undefined) return known
    this.byText.set(text, this.values.length)
    return this.values.push(value) - 1
  }
}

/** The numbers among values that are there in several ways of writing, with these. */
export function spelledTwice(values: readonly ParameterValue[]): string[][] {
  // Of two ways, at least one is not the shortest; mostly there is none.
  const isOther = (value: ParameterValue) => typeof value === 'string' && !isShortest(value) && isNumberText(value)
  if (!values.some(isOther)) return []
  const texts = new Map<string | number, string[]>()
  for (const value of new Set(values)) {
    if (typeof value !== 'string' || !isNumberText(value)) continue
    const number = valueKey(value)
    const known = texts.get(number)
    if (known) known.push(value)
    else texts.set(number, [value])
  }
  return [...texts.values()].filter(({ length }) => length > 1)
}

/** Whether a text is the shortest way to write a whole number of few digits. */
function isShortest(text: string): boolean {
  return /^(0|-?[1-9]\d{0,14})$/.test(text) || String(Number(text)) === text
}

/**
 * Texts of different values. They have quotes only where they would be the same: `--name 'a b'` and `--name a --name b`. An
 * empty text is `''`, and nothing stands for a flag.
 */
export function parameterTexts(values: readonly ParameterValue[]): string[] {
  const texts = values.map(value => (typeof value === 'string' ? value : value.join(' ') || quoteWords(value)))
  if (values.every(value => typeof value === 'string')) return texts
  return new Set(texts).size === texts.length ? texts : values.map(value => value && quoteWords([value].flat()))
}

/**
 * Makes a function that says whether a value is the one that is looked for: `0.10` is `0.1`. It remembers the values that it has seen.
 */
export function valueMatcher(wanted: string): (value: string) => boolean {
  const number = valueKey(wanted)
  const known = new Map<string, boolean>()
  return value => {
    if (value === wanted) return true
    const isEqual = known.get(value) ?? valueKey(value) === number
    known.set(value, isEqual)
    return isEqual
  }
}

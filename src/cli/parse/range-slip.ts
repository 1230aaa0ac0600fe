import { isOptionName } from '../../domain/parameters/arguments.js'
import { looksLikeValues, makeRange, rangeValue } from '../../domain/parameters/range.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { splitWords } from '../../domain/text/words.js'
import { UserError } from '../../errors.js'

interface RangeSlip {
  readonly message: string
  /** The option to write instead, with its text. */
  readonly meant: readonly string[]
  readonly other?: { readonly words: readonly string[]; readonly note: string }
}

const isNumber = (word: string) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i.test(word)

/** What was probably meant with a text of `-R` that is a list of values, or a range in another notation; null for a range. */
export function rangeSlip(text: string): RangeSlip | null {
  const [option, ...words] = wordsOf(text)
  if (option === undefined || !isOptionName(option) || words.length === 0 || words.some(isOptionName)) return null
  const isList = words.some(word => /[[\](),]/.test(word))
  const numbers = isList
    ? words
        .join(' ')
        .split(/[[\](),\s]+/)
        .filter(word => word !== '')
    : words.flatMap(sliced)
  const range = (...bounds: string[]) => ['-R', [option, ...bounds].join(' ')]
  const values = ['-V', displayCommand([option, ...numbers])]
  const [start = '', stop = '', step = ''] = numbers
  const given = `-R "${text}"`
  const form = `${given} is not --option START STOP STEP`
  if (!numbers.every(isNumber)) {
    return numbers.some(isNumber) || numbers.length === 0
      ? null
      : { message: `${given} is a list of values, not a range`, meant: values }
  }
  if (!isList && numbers.length === 3 && looksLikeValues(start, stop, step)) {
    const first = rangeValue(makeRange(start, stop, step), 0)
    return {
      message: `${given} is a range of one value, ${first}: it goes from ${start} to ${stop} in steps of ${step}`,
      meant: values,
      other: { words: ['-V', `${option} ${first}`], note: `if only ${first} is meant` },
    }
  }
  if (numbers.length === 3 && !looksLikeValues(start, stop, step))
    return numbers.join(' ') === words.join(' ') ? null : { message: form, meant: range(start, stop, step) }
  if (numbers.length >= 3) return { message: `${given} is a list of values, not a range`, meant: values }
  const other = { words: values, note: numbers.length === 1 ? 'if that is the value' : 'if these are the values' }
  return { message: form, meant: numbers.length === 1 ? range('0', start, '1') : range(start, stop, '1'), other }
}

/** The numbers of `0:10` or `0:10:2`; any other word unchanged. */
function sliced(word: string): string[] {
  const parts = word.split(':')
  return parts.every(isNumber) ? parts : [word]
}

function wordsOf(text: string): string[] {
  try {
    return splitWords(text)
  } catch (error) {
    if (error instanceof UserError) return []
    throw error
  }
}

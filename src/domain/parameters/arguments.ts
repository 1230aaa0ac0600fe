const OPTION = /^--?[^-=\s][^=\s]*(=|$)/
/** `-1e5`, `-1,1`, `-10%`, `-.5`, `-inf`. */
const NEGATIVE_VALUE = /^-(\.?\d|(inf(inity)?|nan)$)/i
/** A word such as `lr=0.1` or `+model.size=3`. */
const SETTING = /^[+~]{0,2}[a-zA-Z_][\w.@-]*=/
/** An option as it is {@link Given}; editors know this pattern, too. */
export const GIVEN_OPTION =
  /^(?!-(\.?\d|([Ii][Nn][Ff]([Ii][Nn][Ii][Tt][Yy])?|[Nn][Aa][Nn])$))(--?[^-=\s][^=\s]*=?|[+~]{0,2}[a-zA-Z_][\w.@-]*=)$/

/**
 * A part of an argument list: a word as it was typed, or an option with its values if they are known to be its values. An option
 * that ends in `=` is one word with its value: `--lo=-inf`, `lr=0.1`.
 */
export type Given = string | readonly [option: string, ...values: string[]]

/** One option with its value, or one positional, of an argument list. */
export interface Argument {
  /** The option with its dashes, without `=value`, or the name of `name=value`; null for a positional. */
  readonly option: string | null
  /** `''` for an option without a value; a list for one with several values, or with an empty text. */
  readonly value: string | readonly string[]
  readonly given: readonly Given[]
}

/**
 * Whether a word is an option: `-x…`, `--x…` or `--x…=value`. A value that begins as a negative number, `-inf`, `-`, `--` and a sentence
 * that begins with a dash are not options.
 */
export function isOption(word: string): boolean {
  return OPTION.test(word) && !NEGATIVE_VALUE.test(word)
}

/** Whether a word is an option without `=value`. */
export function isOptionName(word: string): boolean {
  return isOption(word) && !word.includes('=')
}

/** The name of a parameter, of an option as it is {@link Given}. */
export function parameterName(option: string): string {
  return option.replace(/=$/, '')
}

/** The words of an argument list. */
export function wordsOf(given: readonly Given[]): string[] {
  return given.flatMap(each => {
    if (typeof each === 'string') return [each]
    const [option, ...values] = each
    return option.endsWith('=') ? [`${option}${values[0] ?? ''}`] : each
  })
}

/** Reads an argument list from left to right; a typed option takes at most one word after it, if that is not an option. */
export function* readArguments(given: readonly Given[]): Generator<Argument> {
  for (let at = 0; at < given.length; at++) {
    const word = given[at]!
    const following = given[at + 1]
    if (typeof word !== 'string') {
      const [option, ...values] = word
      const [value] = values
      const isFlag = value === undefined && !option.endsWith('=')
      const single = isFlag ? '' : valueOfText(value ?? '')
      yield { option: parameterName(option), value: values.length > 1 ? values : single, given: [word] }
      continue
    }
    const equals = word.indexOf('=')
    if (equals > 0 && (isOption(word) || SETTING.test(word))) {
      yield { option: word.slice(0, equals), value: valueOfText(word.slice(equals + 1)), given: [word] }
    } else if (!isOption(word)) {
      yield { option: null, value: valueOfText(word), given: [word] }
    } else if (typeof following !== 'string' || following === '--' || isOption(following)) {
      yield { option: word, value: '', given: [word] }
    } else {
      yield { option: word, value: valueOfText(following), given: [word, following] }
      at++
    }
  }
}

/** An empty text is a list with it: alone, it stands for no value. */
function valueOfText(text: string): Argument['value'] {
  return text === '' ? [''] : text
}

/** An option with all that may be its values, or a positional. */
interface Span {
  readonly option: string | null
  readonly given: Given[]
  count: number
  /** Whether that may be fewer: the words behind a typed option may be positionals. */
  readonly isTyped: boolean
}

/** The same as spans: a typed option has all words up to the next one. */
export function readSpans(given: readonly Given[]): Span[] {
  const spans: Span[] = []
  for (const { option, given: own } of readArguments(given)) {
    const last = spans.at(-1)
    if (option === null && own[0] !== '--' && last?.isTyped) {
      last.given.push(...own)
      last.count++
      continue
    }
    const [first] = own
    const isTyped = typeof first === 'string' && isOptionName(first)
    const count = typeof first === 'string' ? (isTyped ? own.length - 1 : 1) : first!.length - 1
    spans.push({ option, given: [...own], count, isTyped })
  }
  return spans
}

/**
 * The mapping for display and search: positionals are `pos_0`, `pos_1` …, an option that is repeated or has several values is a
 * list, a bare flag `''`, an empty text `['']`. Only the argument list is exact: the mapping does not keep the order of the words.
 */
export function parametersOf(given: readonly Given[]): Record<string, string | string[]> {
  const parameters: Record<string, string | string[]> = {}
  let positionals = 0
  for (const { option, value } of readArguments(given)) {
    const key = option ?? `pos_${positionals++}`
    const earlier = parameters[key]
    if (earlier === undefined) parameters[key] = typeof value === 'string' ? value : [...value]
    else parameters[key] = [earlier, value].flat()
  }
  return parameters
}

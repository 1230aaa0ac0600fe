const OPTION = /^--?[^-=\s][^=\s]*(=|$)/
const NEGATIVE_NUMBER = /^-(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** One option with its value, or one positional, of an argument list. */
export interface Argument {
  /** The option with its dashes, without `=value`; null for a positional. */
  readonly option: string | null
  /** `''` for an option without a value. */
  readonly value: string
  /** The words as they stand in the list. */
  readonly words: readonly string[]
}

/**
 * Whether a word is an option: `-x…`, `--x…` or `--x…=value`. A negative number, `-`, `--` and a sentence that begins
 * with a dash are not options.
 */
export function isOption(word: string): boolean {
  return OPTION.test(word) && !NEGATIVE_NUMBER.test(word)
}

/** Whether a word is an option without `=value`. */
export function isOptionName(word: string): boolean {
  return isOption(word) && !word.includes('=')
}

/** Reads an argument list from left to right; an option takes at most one word after it, if that is not an option. */
export function* readArguments(words: readonly string[]): Generator<Argument> {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const following = words[at + 1]
    const equals = word.indexOf('=')
    if (!isOption(word)) {
      yield { option: null, value: word, words: [word] }
    } else if (equals > 0) {
      yield { option: word.slice(0, equals), value: word.slice(equals + 1), words: [word] }
    } else if (following === undefined || following === '--' || isOption(following)) {
      yield { option: word, value: '', words: [word] }
    } else {
      yield { option: word, value: following, words: [word, following] }
      at++
    }
  }
}

/**
 * The mapping for display and search: positionals are `pos_0`, `pos_1` …, a repeated option is a list, a bare flag `''`.
 * Only the argument list is exact: the mapping does not keep the order of the words.
 */
export function parametersOf(words: readonly string[]): Record<string, string | string[]> {
  const parameters: Record<string, string | string[]> = {}
  let positionals = 0
  for (const { option, value } of readArguments(words)) {
    const key = option ?? `pos_${positionals++}`
    const earlier = parameters[key]
    if (earlier === undefined) parameters[key] = value
    else if (Array.isArray(earlier)) earlier.push(value)
    else parameters[key] = [earlier, value]
  }
  return parameters
}

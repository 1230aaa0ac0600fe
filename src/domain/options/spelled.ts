import type { NamedOption } from './option.js'

/** An option as it was typed, with the value in the same word, if any. */
export interface Spelled {
  readonly option: NamedOption
  /** The option without a value, and with underscores. */
  readonly stem: string
  readonly attached: string | undefined
}

/** The option that a word is, with hyphens or underscores; null for any other word. */
export function spelledOption(word: string, options: readonly NamedOption[]): Spelled | null {
  if (word.startsWith('--')) return longOption(word, options)
  return /^-./.test(word) ? shortOption(word, options) : null
}

export function longOption(word: string, options: readonly NamedOption[]): Spelled | null {
  const { stem, attached } = halves(underscored(word))
  const option = options.find(({ name }) => `--${name}` === stem)
  return option ? { option, stem, attached } : null
}

export function shortOption(word: string, options: readonly NamedOption[]): Spelled | null {
  const option = options.find(({ char }) => char === word[1])
  if (!option) return null
  const attached = word.length > 2 ? word.slice(2).replace(/^=/, '') : undefined
  return { option, stem: word.slice(0, 2), attached }
}

export function halves(word: string): { stem: string; attached: string | undefined } {
  const equals = word.indexOf('=')
  if (equals < 0) return { stem: word, attached: undefined }
  return { stem: word.slice(0, equals), attached: word.slice(equals + 1) }
}

/** A long option as we write it, with its value as it is: hyphens may stand for underscores, in all options. */
export function underscored(word: string): string {
  const { stem } = halves(word)
  return stem.replaceAll(/(?<=\w)-/g, '_') + word.slice(stem.length)
}

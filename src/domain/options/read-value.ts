import { UserError } from '../../errors.js'
import { nearest, shortened } from '../text/names.js'
import { type NamedOption, namedOptions, type Options, type ValuesOf } from './option.js'
import { type Spelled, spelledOption, underscored } from './spelled.js'

/**
 * The value of an option.
 * @param following the next word
 * @param options all that the line may have
 * @param corrected the line to paste with other words in place of the option and its value, which are `count` words
 * @returns it, and how many words the option and its value are
 * @throws UserError for a missing or impossible value
 */
export function readValue(
  { option, stem, attached }: Spelled,
  following: string | undefined,
  options: readonly NamedOption[],
  corrected: (words: readonly string[], count: 1 | 2) => string | null,
): { readonly value: string | boolean; readonly count: 1 | 2 } {
  const count = attached === undefined ? 2 : 1
  if (option.kind === 'flag') {
    if (attached !== undefined) throw new UserError(`${stem} takes no value`, corrected([stem], 1))
    return { value: true, count: 1 }
  }
  if (option.kind === 'switch') {
    const wanted = truth(attached ?? following)
    if (attached !== undefined && wanted === null) {
      throw new UserError(`${stem} takes True or False, not '${shortened(attached)}'`, corrected([stem], 1))
    }
    return { value: wanted ?? true, count: wanted === null ? 1 : count }
  }
  const value = attached ?? following
  const example = option.choices?.[0] ?? option.example ?? 'VALUE'
  if (value === undefined) throw new UserError(`${stem} needs a value`, corrected([stem, example], 1))
  if (count === 2 && option.name !== 'group_param' && isAnyOf(options, value)) {
    const hint = `if ${value} is the value: --${option.name}=${value}`
    throw new UserError(`${stem} needs a value before ${value}`, hint)
  }
  if (option.name === 'runner' && /^-|\s/.test(value)) {
    const message = `${stem} takes the name of a runner, not "${shortened(value)}": -R takes a range`
    throw new UserError(message, corrected(['-R', value], count))
  }
  if (option.choices && !option.choices.includes(value)) {
    const message = `${stem} ${shortened(value)}: unknown value, it takes ${option.choices.join(', ')}`
    throw new UserError(message, corrected([stem, nearest(value, option.choices) ?? example], count))
  }
  return { value, count }
}

/** Whether a word is exactly one of the long options, which was hardly meant as a value. */
function isAnyOf(options: readonly NamedOption[], word: string): boolean {
  return options.some(({ name }) => underscored(word) === `--${name}`)
}

function truth(word: string | undefined): boolean | null {
  if (/^true$/i.test(word ?? '')) return true
  return /^false$/i.test(word ?? '') ? false : null
}

/** Values of options, by name. */
export type Values = Record<string, string | readonly string[] | true>

/** Adds the value of an option to those before it: True and False undo each other, and only a list has several. */
export function giveValue(values: Values, { name, kind }: NamedOption, value: string | boolean): void {
  const earlier = values[name]
  if (value === false) delete values[name]
  else if (value === true) values[name] = true
  else values[name] = kind === 'list' ? [...(Array.isArray(earlier) ? earlier : []), value] : value
}

/** The options that words are, as on the command line; null if any word is not understood. */
export function readOptions<Declared extends Options>(
  words: readonly string[],
  declared: Declared,
): ValuesOf<Declared> | null {
  const options = namedOptions(declared)
  const values: Values = {}
  for (let at = 0; at < words.length; ) {
    const spelled = spelledOption(words[at]!, options)
    if (!spelled) return null
    const { value, count } = readValue(spelled, words[at + 1], options, meant => meant.join(' '))
    giveValue(values, spelled.option, value)
    at += count
  }
  return values as ValuesOf<Declared>
}

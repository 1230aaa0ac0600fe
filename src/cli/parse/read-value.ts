import { nearest, shortened } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'
import { named } from './named-options.js'
import { type Spelled, underscored } from './spelled.js'

/** Values in place of one that is missing, where it must have a form. */
const examples: Readonly<Record<string, string>> = {
  n_threads: '4',
  group_param: '--option value',
  range_param: '--option 0 10 1',
  values: '--option value',
}

/**
 * The value of an option.
 * @param following the next word
 * @param corrected the line to paste with other words in place of the option and its value, which are `count` words
 * @returns it, and how many words the option and its value are
 * @throws UserError for a missing or impossible value
 */
export function readValue(
  { option, stem, attached }: Spelled,
  following: string | undefined,
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
  const example = option.choices?.[0] ?? examples[option.name] ?? 'VALUE'
  if (value === undefined) throw new UserError(`${stem} needs a value`, corrected([stem, example], 1))
  if (count === 2 && option.name !== 'group_param' && isOurs(value)) {
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

/** Whether a word is exactly one of our long options, which was hardly meant as a value. */
function isOurs(word: string): boolean {
  return named.some(({ name }) => underscored(word) === `--${name}`)
}

function truth(word: string | undefined): boolean | null {
  if (/^true$/i.test(word ?? '')) return true
  return /^false$/i.test(word ?? '') ? false : null
}

import { nearest } from '../../domain/text/names.js'
import { type NamedOption, named } from './named-options.js'
import { Slip } from './slip.js'

/** An option as it was typed, with the value in the same word, if any. */
export interface Spelled {
  readonly option: NamedOption
  /** The option as the user wrote it, without a value. */
  readonly stem: string
  readonly attached: string | undefined
}

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
 * @param replaced the line with other words in place of the option and its value, which are `count` words
 * @returns it, and whether it is the next word
 * @throws Slip for a missing or impossible value
 */
export function readValue(
  { option, stem, attached }: Spelled,
  following: string | undefined,
  replaced: (words: readonly string[], count: 1 | 2) => string[],
): { readonly value: string | boolean; readonly count: 1 | 2 } {
  const count = attached === undefined ? 2 : 1
  if (option.kind === 'flag') {
    if (attached !== undefined) throw new Slip(`${stem} takes no value`, replaced([stem], 1))
    return { value: true, count: 1 }
  }
  if (option.kind === 'switch') {
    const wanted = truth(attached ?? following)
    if (attached !== undefined && wanted === null) {
      const meant = nearest(attached, ['True', 'False'])
      const words = [meant === null ? stem : `${stem}=${meant}`]
      throw new Slip(`${stem} takes True or False, not '${attached}'`, replaced(words, 1))
    }
    return { value: wanted ?? true, count: wanted === null ? 1 : count }
  }
  const value = attached ?? following
  const example = option.choices?.[0] ?? examples[option.name] ?? 'VALUE'
  if (value === undefined) throw new Slip(`${stem} needs a value`, replaced([stem, example], 1))
  if (count === 2 && option.name !== 'group_param' && isOurs(value)) {
    const taken = { words: replaced([`--${option.name}=${value}`], 2), note: `if ${value} is the value` }
    throw new Slip(`${stem} needs a value before ${value}`, replaced([stem, example], 1), taken)
  }
  if (option.name === 'runner' && /^-|\s/.test(value)) {
    throw new Slip(`${stem} takes the name of a runner, not "${value}"`, replaced(['-R', value], count))
  }
  if (option.choices && !option.choices.includes(value)) {
    const message = `${stem} ${value}: unknown value, it takes ${option.choices.join(', ')}`
    throw new Slip(message, replaced([stem, nearest(value, option.choices) ?? example], count))
  }
  return { value, count }
}

/** Whether a word is exactly one of our long options, which was hardly meant as a value. */
function isOurs(word: string): boolean {
  return named.some(({ name }) => word === `--${name}` || word === `--${name.replaceAll('_', '-')}`)
}

function truth(word: string | undefined): boolean | null {
  if (/^true$/i.test(word ?? '')) return true
  return /^false$/i.test(word ?? '') ? false : null
}

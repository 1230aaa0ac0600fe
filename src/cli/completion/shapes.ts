import type { CommandClass } from '../base-command.js'
import { flagsOf, helpOption, jsonOption } from '../parse/option.js'
import type { Kind } from './kinds.js'

/** What the completion has to know of all commands; made when the program is built, so that a Tab loads none of them. */
export interface Surface {
  readonly commands: Readonly<Record<string, CommandShape>>
  /** Other words for commands, and which they are. */
  readonly shortNames: Readonly<Record<string, string>>
  /** The first words of commands of two, with what they are about. */
  readonly topics: Readonly<Record<string, string>>
}

export interface CommandShape {
  readonly summary: string
  /** In order; where any number is taken, the last stands for all that follow. */
  readonly arguments: readonly ArgumentShape[]
  readonly repeatsLast: boolean
  readonly options: readonly OptionShape[]
}

/** Something that a word can be given for. */
export interface ArgumentShape {
  readonly name: string
  readonly values?: readonly string[]
  readonly completes?: Kind
}

export interface OptionShape extends ArgumentShape {
  readonly char?: string
  readonly description: string
  /** `truth`: a flag that True or False may follow. */
  readonly takes: 'value' | 'truth' | 'nothing'
  readonly repeats: boolean
  /** Names of options that it cannot be given with. */
  readonly excludes: readonly string[]
  /** Whether it is an option only before the first argument. */
  readonly leads: boolean
}

/** What a command declares of an option or an argument, as far as the completion needs it. */
interface Declared {
  readonly type?: string
  readonly char?: string
  readonly description?: string
  readonly multiple?: boolean
  readonly exclusive?: readonly string[]
  readonly options?: readonly string[]
  readonly completes?: Kind
  readonly takes?: OptionShape['takes']
  readonly leads?: boolean
}

/** The shape of a command as it is declared. */
export function shapeOf({ summary = '', args, flags, strict, enableJsonFlag, passesOn }: CommandClass): CommandShape {
  const common = flagsOf({ ...(enableJsonFlag && { json: jsonOption }), help: helpOption })
  return {
    summary,
    arguments: Object.entries((args ?? {}) as Readonly<Record<string, Declared>>).map(([name, each]) =>
      named(name, each),
    ),
    repeatsLast: strict === false,
    options: [
      ...Object.entries((flags ?? {}) as Readonly<Record<string, Declared>>).map(([name, flag]) =>
        optionShape(name, flag),
      ),
      // Behind the first argument a --help is the script's.
      ...Object.entries(common).map(([name, flag]) => ({ ...optionShape(name, flag as Declared), leads: passesOn })),
    ],
  }
}

function named(name: string, { options, completes }: Declared): ArgumentShape {
  return { name, ...(options && { values: options }), ...(completes && { completes }) }
}

function optionShape(name: string, flag: Declared): OptionShape {
  return {
    ...named(name, flag),
    ...(flag.char && { char: flag.char }),
    description: flag.description ?? '',
    takes: flag.takes ?? (flag.type === 'boolean' ? 'nothing' : 'value'),
    repeats: flag.multiple === true,
    excludes: flag.exclusive ?? [],
    leads: flag.leads ?? false,
  }
}

import type { CommandClass } from '../base-command.js'
import { type RunOption, runOptions } from '../parse/run-options.js'
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

interface Declared {
  readonly type?: string
  readonly char?: string
  readonly summary?: string
  readonly description?: string
  readonly multiple?: boolean
  readonly exclusive?: readonly string[]
  readonly options?: readonly string[]
  readonly completes?: Kind
}

const json: Declared = { type: 'boolean', description: 'print one JSON document instead' }
const help: Declared = { type: 'boolean', char: 'h', description: 'show help' }

/** The shape of a command as it is declared; `qanat run` reads its options by a table of its own. */
export function shapeOf(command: string, declared: CommandClass): CommandShape {
  const { summary = '', args, flags, strict, enableJsonFlag } = declared
  const all: Readonly<Record<string, Declared>> = { ...flags, ...(enableJsonFlag && { json }), help }
  const table: readonly RunOption[] = command === 'experiment run' ? runOptions : []
  return {
    summary,
    arguments: Object.entries((args ?? {}) as Readonly<Record<string, Declared>>).map(([name, each]) =>
      named(name, each),
    ),
    repeatsLast: strict === false,
    options: Object.entries(all).map(([name, flag]) => {
      const read = table.find(option => option.name === name)
      // Behind the names in `qanat action` a --help is the script's.
      const leads = read ? !read.afterName : command === 'experiment action' && name === 'help'
      return { ...optionShape(name, flag), ...(read?.kind === 'switch' && { takes: 'truth' }), leads }
    }),
  }
}

function named(name: string, { options, completes }: Declared): ArgumentShape {
  return { name, ...(options && { values: options }), ...(completes && { completes }) }
}

function optionShape(name: string, flag: Declared): Omit<OptionShape, 'leads'> {
  return {
    ...named(name, flag),
    ...(flag.char && { char: flag.char }),
    description: flag.description ?? '',
    takes: flag.type === 'boolean' ? 'nothing' : 'value',
    repeats: flag.multiple === true,
    excludes: flag.exclusive ?? [],
  }
}

import type { CommandClass } from '../base-command.js'
import { commonOptions, flagsOf } from '../parse/flags.js'
import type { Kind } from './kinds.js'

/** What completion needs to know about all commands; made when the program is built, so that Tab loads no command. */
export interface Surface {
  readonly commands: Readonly<Record<string, CommandShape>>
  readonly shortNames: Readonly<Record<string, string>>
  /** First words of two-word commands, with their descriptions. */
  readonly topics: Readonly<Record<string, string>>
}

export interface CommandShape {
  readonly summary: string
  /** In order; for a command that takes any number of arguments, the last one stands for all that follow. */
  readonly arguments: readonly ArgumentShape[]
  readonly repeatsLast: boolean
  readonly options: readonly OptionShape[]
}

/** An argument or the value of an option. */
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
  readonly excludes: readonly string[]
  /** Whether it counts as an option only before the first argument. */
  readonly leads: boolean
}

/** What is declared of an argument or an option. */
export interface Declared {
  readonly type?: string
  readonly char?: string
  readonly description?: string
  readonly required?: boolean
  readonly multiple?: boolean
  readonly exclusive?: readonly string[]
  readonly dependsOn?: readonly string[]
  readonly options?: readonly string[]
  readonly default?: unknown
  readonly completes?: Kind
  readonly takes?: OptionShape['takes']
  readonly leads?: boolean
  readonly hidden?: boolean
  readonly helpValue?: string
  /** How an argument is written in the help, where its name does not tell. */
  readonly shown?: string
}

export type DeclaredAll = Readonly<Record<string, Declared>>

/** The shape of a command as it is declared. */
export function shapeOf(command: CommandClass): CommandShape {
  const { summary = '', args = {}, flags, strict } = command
  const options = Object.entries({ ...flags, ...flagsOf(commonOptions(command)) } as DeclaredAll)
  return {
    summary,
    arguments: Object.entries(args as DeclaredAll).map(([name, each]) => named(name, each)),
    repeatsLast: strict === false,
    options: options.filter(([, { hidden }]) => hidden !== true).map(([name, flag]) => optionShape(name, flag)),
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

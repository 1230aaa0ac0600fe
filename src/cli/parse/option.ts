import * as Flags from '@oclif/core/flags'
import type * as Interfaces from '@oclif/core/interfaces'
import type { Kind } from '../completion/kinds.js'
import { globalOptions } from './globals.js'

interface Described {
  readonly char?: Interfaces.AlphabetLowercase | Interfaces.AlphabetUppercase
  readonly description: string
  /** Whether it is ours only before NAME; after NAME the same word belongs to the experiment. */
  readonly beforeName?: true
}

interface FlagOption extends Described {
  readonly kind: 'flag'
}

/** A flag that takes an optional True or False. */
interface SwitchOption extends Described {
  readonly kind: 'switch'
}

interface ValueOption extends Described {
  /** `list`: it may be repeated, each time with a value. */
  readonly kind: 'value' | 'list'
  /** The kind of its value, for completion. */
  readonly completes?: Kind
  /** The only values that it takes. */
  readonly choices?: readonly string[]
  /** The default, as the help shows it. */
  readonly default?: string
  /** How the help calls its value, where that does not follow from what completes it. */
  readonly helpValue?: string
}

/** An option of a command. Parsing, help and completion derive from this declaration. */
export type Option = FlagOption | SwitchOption | ValueOption

export type Options = Readonly<Record<string, Option>>

/** The values of options, by name; if an option with a single value is repeated, the last one counts. */
export type Given<Declared extends Options> = { -readonly [Name in keyof Declared]?: ValueOf<Declared[Name]> }

type ValueOf<Declared extends Option> = Declared extends { kind: 'flag' | 'switch' }
  ? true
  : Declared extends { kind: 'list' }
    ? string[]
    : Declared extends { choices: readonly (infer Choice)[] }
      ? Choice
      : string

/** The option of every command that can print JSON, and the option of every command. */
export const jsonOption = { kind: 'flag', description: 'print one JSON document' } as const
export const helpOption = { kind: 'flag', char: 'h', description: 'show this help' } as const

/**
 * The options of a command besides those that it declares.
 * @param passesOn whether it passes words on to a script, so that these options come before its first argument
 */
export function commonOptions({ enableJsonFlag, passesOn }: { enableJsonFlag: boolean; passesOn: boolean }): Options {
  const all: Options = { ...(enableJsonFlag && { json: jsonOption }), ...globalOptions, help: helpOption }
  if (!passesOn) return all
  return Object.fromEntries(Object.entries(all).map(([name, option]) => [name, { ...option, beforeName: true }]))
}

/** The options as oclif declares them, for help and completion. */
export function flagsOf(options: Options): Interfaces.FlagInput {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, flagOf(option)]))
}

function flagOf(option: Option) {
  const { beforeName: leads = false, description } = option
  const declared = { ...(option.char && { char: option.char }), description }
  if (option.kind === 'flag') return Object.assign(Flags.boolean(declared), { leads })
  if (option.kind === 'switch') return Object.assign(Flags.boolean(declared), { leads, takes: 'truth' })
  const { choices, completes, helpValue, default: standard } = option
  const value = { ...(choices && { options: choices }), ...(helpValue && { helpValue }), default: standard, completes }
  const flag = Flags.string({ ...declared, ...value })
  return Object.assign(flag, { leads, multiple: option.kind === 'list' })
}

import * as Flags from '@oclif/core/flags'
import type * as Interfaces from '@oclif/core/interfaces'
import type { Option, ValueOption } from '../../domain/options/option.js'
import type { Kind } from '../completion/kinds.js'
import { globalOptions } from './globals.js'

/** An option whose value can be completed. */
type Completed<Each extends Option> = Each & { readonly completes?: Kind }

type CompletedOptions = Readonly<Record<string, Completed<Option>>>

/** The option of every command that can print JSON, and the option of every command. */
const jsonOption = { kind: 'flag', description: 'print one JSON document' } as const
const helpOption = { kind: 'flag', char: 'h', description: 'show this help' } as const

/**
 * The options of a command besides those that it declares.
 * @param passesOn whether it passes words on to a script, so that these options come before its first argument
 */
export function commonOptions({
  enableJsonFlag,
  passesOn,
}: {
  readonly enableJsonFlag: boolean
  readonly passesOn: boolean
}): CompletedOptions {
  const all: CompletedOptions = { ...(enableJsonFlag && { json: jsonOption }), ...globalOptions, help: helpOption }
  if (!passesOn) return all
  return Object.fromEntries(Object.entries(all).map(([name, option]) => [name, { ...option, beforeName: true }]))
}

/** The options as oclif declares them, for help and completion. */
export function flagsOf(options: CompletedOptions): Interfaces.FlagInput {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, flagOf(option)]))
}

function flagOf(option: Completed<Option>) {
  const { beforeName: leads = false, description } = option
  const declared = { ...(option.char && { char: option.char as Interfaces.AlphabetLowercase }), description }
  if (option.kind === 'flag') return Object.assign(Flags.boolean(declared), { leads })
  if (option.kind === 'switch') return Object.assign(Flags.boolean(declared), { leads, takes: 'truth' })
  const { choices, completes, helpValue, default: standard } = option
  const value = { ...(choices && { options: choices }), ...(helpValue && { helpValue }), default: standard, completes }
  const flag = Flags.string({ ...declared, ...value })
  return Object.assign(flag, { leads, multiple: option.kind === 'list' })
}

/** An option of `run` as another command takes it: with what it means there, and without its letter. */
export function valueFlag({ completes, helpValue }: Completed<ValueOption>, description: string) {
  return Flags.string({ description, completes, ...(helpValue && { helpValue }) })
}

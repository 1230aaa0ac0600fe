interface Described {
  /** One letter, by which it can be written after one dash. */
  readonly char?: string
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

export interface ValueOption extends Described {
  /** `list`: it may be repeated, each time with a value. */
  readonly kind: 'value' | 'list'
  /** The kind of its value, for completion. */
  readonly completes?: string
  /** The only values that it takes. */
  readonly choices?: readonly string[]
  /** The default, as the help shows it. */
  readonly default?: string
  /** How the help calls its value, where that does not follow from what completes it. */
  readonly helpValue?: string
  /** A value in place of one that is missing, where it must have a form. */
  readonly example?: string
}

/** An option of a command. Parsing, help and completion derive from this declaration. */
export type Option = FlagOption | SwitchOption | ValueOption

export type Options = Readonly<Record<string, Option>>

export type NamedOption = Option & { readonly name: string }

/** The values of options, by name; if an option with a single value is repeated, the last one counts. */
export type ValuesOf<Declared extends Options> = {
  -readonly [Name in keyof Declared]?: ValueOf<Declared[Name]> | undefined
}

type ValueOf<Declared extends Option> = Declared extends { kind: 'flag' | 'switch' }
  ? true
  : Declared extends { kind: 'list' }
    ? readonly string[]
    : Declared extends { choices: readonly (infer Choice)[] }
      ? Choice
      : string

/** Options with their names, in the order of their declaration. */
export function namedOptions(options: Options): NamedOption[] {
  return Object.entries(options).map(([name, option]) => ({ name, ...option }))
}

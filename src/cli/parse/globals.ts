import { underscored } from '../../domain/options/spelled.js'

/** Options of every command. They may also stand before the command. */
export const globalOptions = {
  quiet: { kind: 'flag', char: 'q', description: 'print only the result and errors' },
  no_emoji: { kind: 'flag', description: 'no symbols beside words (setting: emoji)' },
} as const

export type Globals = { readonly [Name in keyof typeof globalOptions]?: true }

/** Their names by how they can be written. */
const spelled = new Map(
  (Object.keys(globalOptions) as (keyof Globals)[]).flatMap(name => {
    const option = globalOptions[name]
    const char = 'char' in option ? [`-${option.char}`] : []
    return [`--${name}`, ...char].map(word => [word, name] as const)
  }),
)

/** What a line begins with. */
interface Taken {
  readonly globals: Globals
  /** The option `--context NAME`, which is the command's own wherever it stands; empty if it was not given. */
  readonly context: readonly string[]
  readonly rest: string[]
}

/** Takes off the options that a line begins with, as far as they may also stand before the command. */
export function takeGlobals(argv: readonly string[]): Taken {
  const globals: { -readonly [Name in keyof Globals]: Globals[Name] } = {}
  const context: string[] = []
  let at = 0
  for (; at < argv.length; at++) {
    const name = spelled.get(underscored(argv[at]!))
    if (name !== undefined) globals[name] = true
    else if (argv[at]!.startsWith('--context=')) context.push(argv[at]!)
    else if (argv[at] === '--context' && at + 1 < argv.length) context.push(argv[at]!, argv[++at]!)
    else break
  }
  return { globals, context, rest: argv.slice(at) }
}

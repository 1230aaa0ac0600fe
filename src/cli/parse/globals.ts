import { underscored } from '../../domain/options/spelled.js'

/** Options of every command. They may also stand before the command. */
export const globalOptions = {
  quiet: { kind: 'flag', char: 'q', description: 'print only the result and errors' },
  no_emoji: { kind: 'flag', description: 'no symbols beside words (setting: emoji)' },
} as const

export type Globals = { readonly [Name in keyof typeof globalOptions]?: true }

/** Their names by how they can be written. */
const spelled = new Map(
  Object.entries(globalOptions).flatMap(([name, option]) => {
    const char = 'char' in option ? [`-${option.char}`] : []
    return [`--${name}`, ...char].map(word => [word, name] as const)
  }),
)

/** Takes off the global options that a line begins with. */
export function takeGlobals(argv: readonly string[]): { globals: Globals; rest: string[] } {
  const nameOf = (word: string) => spelled.get(underscored(word))
  const found = argv.findIndex(word => nameOf(word) === undefined)
  const count = found === -1 ? argv.length : found
  const globals = Object.fromEntries(argv.slice(0, count).map(word => [nameOf(word), true]))
  return { globals, rest: argv.slice(count) }
}

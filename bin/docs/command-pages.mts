import { type CommandPage, commandPage } from '../../src/cli/help/command-page.js'
import { commands, shortNames } from '../../src/commands/index.js'

/** What is said of each command, by its shortest name, in the order of the names. */
export async function commandPages(): Promise<CommandPage[]> {
  const short = new Map(Object.entries(shortNames).map(([name, words]) => [words, name]))
  const pages = Object.entries(commands).map(async ([words, load]) =>
    commandPage(short.get(words) ?? words, (await load()).default),
  )
  return (await Promise.all(pages)).sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** The name of its file, without an ending. */
export function fileName({ name }: CommandPage): string {
  return name.replaceAll(' ', '-')
}

/** The options that many commands have, of which a page says little. */
export function commonEntries(pages: readonly CommandPage[]): CommandPage['arguments'] {
  const all = pages.flatMap(({ options }) => options.at(-1)!.entries)
  return [...new Map(all.map(entry => [entry.term, entry])).values()]
}

import { styleOf } from '../../views/format/style.js'
import type { CommandClass } from '../base-command.js'
import { helpTopics } from '../manual.js'
import { description } from '../user-agent.js'
import { commandPage, type Entry } from './command-page.js'
import { commandText, listText } from './layout.js'

/** All commands, as the program knows them before it loads one. */
export interface KnownCommands {
  readonly commands: Readonly<Record<string, () => Promise<{ default: CommandClass }>>>
  readonly shortNames: Readonly<Record<string, string>>
  /** First words of several commands, and what these are for. */
  readonly topics: Readonly<Record<string, string>>
  /** Words of commands and topics by what they are for. */
  readonly purposes: Readonly<Record<string, readonly string[]>>
}

/** Shows the help of a command or a topic, or of the program if there are no words. */
export async function showHelp(known: KnownCommands, words: string): Promise<void> {
  const load = known.commands[known.shortNames[words] ?? words]
  const { stdout } = process
  const width = Math.min(stdout.columns ?? 80, 100)
  const style = styleOf(stdout)
  if (load) stdout.write(commandText(commandPage(words, (await load()).default), style, width))
  else if (words === '') stdout.write(await programText(known, width))
  else stdout.write(await topicText(known, words, width))
}

async function programText({ commands, shortNames, topics, purposes }: KnownCommands, width: number): Promise<string> {
  const words = Object.values(purposes).flat()
  const entries = await Promise.all(
    words.map(async word => ({
      term: word,
      text: topics[word] ?? (await summaryOf(commands[shortNames[word] ?? word]!)),
    })),
  )
  const column = Math.max(...words.map(word => word.length))
  const sections = Object.entries(purposes).map(([purpose, own]) => {
    const list = listText(
      entries.filter(({ term }) => own.includes(term)),
      width,
      column,
    )
    return `${purpose.toUpperCase()}\n${list}`
  })
  const usage: readonly Entry[] = [
    { term: '$ qanat COMMAND --help', text: 'shows the options and examples of a command' },
    { term: '$ qanat help TOPIC', text: 'shows a page of the documentation' },
    { term: '$ qanat help WORD', text: 'names the pages that have the word' },
  ]
  const start = `${description}\n\nUSAGE\n${listText(usage, width)}`
  return [start, ...sections, `HELP TOPICS\n${helpTopics(width)}\n`].join('\n')
}

/** The commands that begin with a word, but for those with a short name, which the help of the program shows. */
async function topicText(
  { commands, shortNames, topics }: KnownCommands,
  topic: string,
  width: number,
): Promise<string> {
  const names = Object.keys(commands).filter(name => name.startsWith(`${topic} `))
  const short = names.filter(name => Object.values(shortNames).includes(name))
  const entries: Entry[] = await Promise.all(
    names
      .filter(name => !short.includes(name))
      .map(async name => ({ term: `qanat ${name}`, text: await summaryOf(commands[name]!) })),
  )
  const note = short.length > 0 ? `\nCommands on runs, such as qanat run and qanat run_show: qanat --help\n` : ''
  return `${topics[topic]}\n\nCOMMANDS\n${listText(entries, width)}${note}`
}

async function summaryOf(load: KnownCommands['commands'][string]): Promise<string> {
  return (await load()).default.summary ?? ''
}

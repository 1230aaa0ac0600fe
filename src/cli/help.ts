import { stripVTControlCharacters } from 'node:util'
import { Help } from '@oclif/core/help'
import type { CommandClass } from './base-command.js'
import { configuration } from './configuration.js'
import { helpTopics } from './manual.js'
import { commonOptions, flagsOf } from './parse/option.js'

/** A command or a topic, and what it is for. */
type Summary = readonly [word: string, summary: string]

type Loaders = Readonly<Record<string, () => Promise<{ default: CommandClass }>>>

/**
 * Shows the help of a command or a topic, or of the program if there are no words.
 * @param shortNames full names of commands by their short names
 * @param purposes words of commands and topics by what they are for
 */
export async function showHelp(
  commands: Loaders,
  shortNames: Readonly<Record<string, string>>,
  topics: Readonly<Record<string, string>>,
  words: string,
  purposes: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const config = configuration()
  const loaded = await Promise.all(Object.entries(commands).map(async ([name, load]) => entry(name, await load())))
  const short = Object.entries(shortNames).map(([alias, name]) => ({
    ...loaded.find(command => command.id === colons(name))!,
    id: colons(alias),
  }))
  const all = [...loaded, ...short]
  // oclif treats only a name with other topics below it as a topic.
  const below = loaded.map(({ id, summary }) => ({ name: id, description: summary ?? '' }))
  const topicList = [...Object.entries(topics).map(([name, description]) => ({ name, description })), ...below]
  Object.defineProperties(config, {
    commands: { value: all },
    topics: { value: topicList },
    findCommand: { value: (id: string) => all.find(command => command.id === id) },
    findTopic: { value: (name: string) => topicList.find(topic => topic.name === name) },
  })
  const help = new PlainHelp(config, { flagSortOrder: 'none' })
  if (words !== '') return help.showHelp([colons(words)])
  const own = all.filter(({ id }) => !id.includes(':')).map(({ id, summary = '' }): Summary => [id, summary])
  help.showGroups(purposes, [...Object.entries(topics), ...own])
}

/** oclif decides on colour by variables, not by whether the text goes to a terminal. */
class PlainHelp extends Help {
  /** The help of the program. @param summaries of commands and topics */
  showGroups(purposes: Readonly<Record<string, readonly string[]>>, summaries: readonly Summary[]): void {
    const known = new Map(summaries)
    const grouped = Object.values(purposes).flat()
    const others = summaries.map(([word]) => word).filter(word => !grouped.includes(word))
    this.log(`${this.formatRoot()}\n`)
    for (const [title, words] of Object.entries({ ...purposes, more: others })) {
      const rows = words.map((word): [string, string] => [word, known.get(word) ?? ''])
      const list = this.renderList(rows, { indentation: 2, spacer: '\n', stripAnsi: this.opts.stripAnsi ?? false })
      if (rows.length > 0) this.log(`${this.section(title.toUpperCase(), list)}\n`)
    }
    this.log(`${this.section('HELP TOPICS', helpTopics())}\n`)
    this.log(
      "'qanat COMMAND --help' shows the options and examples of a command, 'qanat help WORD' the pages that have it.",
    )
  }

  protected override log(...texts: string[]): void {
    const fancy = process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb'
    super.log(...(fancy ? texts : texts.map(stripVTControlCharacters)))
  }
}

function entry(name: string, { default: command }: { default: CommandClass }) {
  const { summary, description, usage, args, flags, examples, hidden = false, strict } = command
  return {
    id: colons(name),
    summary,
    description,
    usage,
    args: named(strict ? args : withLastRepeated(args)),
    flags: named({ ...flags, ...flagsOf(commonOptions(command)) }),
    examples,
    hidden,
    // oclif would mark all arguments as repeatable.
    strict: true,
    aliases: [],
    hiddenAliases: [],
  }
}

function named<Item extends object>(items: Readonly<Record<string, Item>>) {
  return Object.fromEntries(Object.entries(items ?? {}).map(([name, item]) => [name, { ...item, name }]))
}

function withLastRepeated<Item extends object>(args: Readonly<Record<string, Item>>) {
  const last = Object.keys(args).at(-1)
  return Object.fromEntries(
    Object.entries(args).map(([name, item]) => [name, name === last ? { ...item, multiple: true } : item]),
  )
}

function colons(words: string): string {
  return words.replaceAll(' ', ':')
}

import { stripVTControlCharacters } from 'node:util'
import { Help } from '@oclif/core'
import type { CommandClass } from './base-command.js'
import { configuration } from './configuration.js'
import { flagsOf, jsonOption } from './parse/option.js'

type Loaders = Readonly<Record<string, () => Promise<{ default: CommandClass }>>>

/**
 * Shows the help of a command or a topic, or of the program if there are no words.
 * @param shortNames full names of commands by their short names
 */
export async function showHelp(
  commands: Loaders,
  shortNames: Readonly<Record<string, string>>,
  topics: Readonly<Record<string, string>>,
  words: string,
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
  await new PlainHelp(config, { flagSortOrder: 'none' }).showHelp(words === '' ? [] : [colons(words)])
}

/** oclif decides on colour by variables, not by whether the text goes to a terminal. */
class PlainHelp extends Help {
  protected override log(...texts: string[]): void {
    const fancy = process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb'
    super.log(...(fancy ? texts : texts.map(stripVTControlCharacters)))
  }
}

function entry(name: string, { default: command }: { default: CommandClass }) {
  const { summary, description, usage, args, flags, examples, enableJsonFlag, hidden = false, strict } = command
  return {
    id: colons(name),
    summary,
    description,
    usage,
    args: named(strict ? args : withLastRepeated(args)),
    flags: named({ ...flags, ...(enableJsonFlag && flagsOf({ json: jsonOption })) }),
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

import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import type { CommandPage, Entry } from '../../src/cli/help/command-page.js'
import { purposes } from '../../src/commands/index.js'
import { commonEntries, fileName } from './command-pages.mjs'
import { block, code, list, page, plain, section } from './markdown.mjs'

/** A page for each command, and one that lists them, by their paths below the reference. */
export function commandReference(pages: readonly CommandPage[]): Record<string, string> {
  const own = pages.map(each => [`commands/${fileName(each)}.md`, commandText(each)])
  return { 'commands.md': indexText(pages), ...Object.fromEntries(own) }
}

function commandText({ name, summary, description, usage, options, examples, topics, ...rest }: CommandPage): string {
  const common = options.at(-1)!
  const lines = examples.map(({ title, line }) => `${title === '' ? '' : `# ${title}\n`}qanat ${line.slice(6)}`)
  return page(
    `qanat ${name}`,
    plain(`${summary}.`),
    descriptionText(description),
    block('text', usage.join('\n')),
    section('Arguments', entries(rest.arguments)),
    ...options.slice(0, -1).map(({ title, entries: own }) => section(sentence(title), entries(own))),
    section('Examples', examples.length > 0 ? block('text', lines.join('\n')) : ''),
    section(
      sentence(common.title),
      `${common.entries.map(({ term }) => code(term.trim())).join(', ')}: see [all commands](../commands.md#options-of-many-commands).`,
    ),
    section('See also', topics.map(linkToTopic).join(', ')),
  )
}

/** The page that `qanat help` shows for a topic. */
function linkToTopic(topic: string): string {
  const isOf = (path: string) => basename(path, '.md').replace(/^\d+-/, '') === topic
  const path = readdirSync('docs', { recursive: true, encoding: 'utf8' }).find(isOf)
  return `[${topic}](../../${path})`
}

/** Lines that begin with blanks stay as they are. */
function descriptionText(description: string): string {
  return description
    .split(/\n(?! )/)
    .map(part => {
      const [text, ...lines] = part.split('\n')
      return [plain(text!), ...(lines.length > 0 ? [block('text', lines.join('\n'))] : [])].join('\n\n')
    })
    .join('\n\n')
}

function entries(all: readonly Entry[]): string {
  return list(all.map(({ term, text }) => `${code(term.trim())}: ${plain(text)}`))
}

function sentence(title: string): string {
  const text = title.toLowerCase().replace(/\bname\b/, 'NAME')
  return `${title[0]}${text.slice(1)}`
}

function indexText(pages: readonly CommandPage[]): string {
  const sections = Object.entries(purposes).map(([purpose, words]) => {
    const own = words.flatMap(word => pages.filter(({ name }) => name === word || name.startsWith(`${word} `)))
    return section(`${purpose[0]!.toUpperCase()}${purpose.slice(1)}`, list(own.map(linkTo)))
  })
  return page(
    'All commands',
    'For everybody who looks for a command or an option. In the terminal, `--help` after a command shows the same.',
    'RUN is the id of a run, `latest`, or an experiment for its last run. In options, a hyphen is as good as an underscore: `--n-threads` is `--n_threads`.',
    ...sections,
    section('Options of many commands', entries(commonEntries(pages))),
  )
}

function linkTo(each: CommandPage): string {
  return `[${each.name}](commands/${fileName(each)}.md): ${plain(each.summary)}`
}

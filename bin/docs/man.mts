import { readFileSync } from 'node:fs'
import type { CommandPage, Entry } from '../../src/cli/help/command-page.js'
import { purposes } from '../../src/commands/index.js'
import { commandPages, fileName } from './command-pages.mjs'

const { version, description } = JSON.parse(readFileSync('package.json', 'utf8'))

/** The man pages of the program and of its commands, by the names of their files. */
export async function manPages(): Promise<Record<string, string>> {
  const pages = await commandPages()
  const own = pages.map(page => [`qanat-${fileName(page)}.1`, commandPage(page)])
  return { 'qanat.1': programPage(pages), ...Object.fromEntries(own) }
}

function programPage(pages: readonly CommandPage[]): string {
  const groups = Object.entries(purposes).map(([purpose, words]) => {
    const own = words.flatMap(word => pages.filter(({ name }) => name === word || name.startsWith(`${word} `)))
    return section(purpose, items(own.map(({ name, summary }) => ({ term: `qanat ${name}`, text: summary }))))
  })
  return man('qanat', description, [
    section('synopsis', '.B qanat\nCOMMAND [OPTIONS]'),
    section('description', text('qanat COMMAND --help shows a command, qanat help TOPIC a page of the documentation.')),
    ...groups,
    section('see also', text('qanat-run(1), and the man page of each command: qanat-COMMAND(1)')),
  ])
}

function commandPage(page: CommandPage): string {
  const { summary, usage, options, examples, topics } = page
  return man(`qanat-${fileName(page)}`, summary, [
    section('synopsis', usage.map(line => `.nf\n${text(line)}\n.fi`).join('\n')),
    page.description === '' ? '' : section('description', paragraphs(page.description)),
    page.arguments.length > 0 ? section('arguments', items(page.arguments)) : '',
    ...options.map(({ title, entries }) => section(title, items(entries))),
    section('examples', examples.map(example).join('\n')),
    section('see also', text(['qanat(1)', ...topics.map(topic => `qanat help ${topic}`)].join(', '))),
  ])
}

function man(name: string, summary: string, sections: readonly string[]): string {
  const head = `.TH ${name.toUpperCase()} 1 "" "Qanat ${version}" "Qanat"\n.SH NAME\n${text(`${name} - ${summary}`)}`
  return `${[head, ...sections.filter(each => each !== '')].join('\n')}\n`
}

function section(title: string, content: string): string {
  return `.SH ${text(title.toUpperCase())}\n${content}`
}

function items(entries: readonly Entry[]): string {
  return entries.map(({ term, text: words }) => `.TP\n.B ${text(term.trim())}\n${text(words)}`).join('\n')
}

function example({ title, line }: CommandPage['examples'][number]): string {
  return `${title === '' ? '.PP' : `.PP\n${text(`${title}:`)}`}\n.nf\n.RS 4\n${text(line)}\n.RE\n.fi`
}

/** Paragraphs, and lines that begin with blanks, which stay as they are. */
function paragraphs(description: string): string {
  return description
    .split('\n')
    .map(line => (line.startsWith('  ') ? `.nf\n${text(line)}\n.fi` : `.PP\n${text(line)}`))
    .join('\n')
}

/** A text in which no character is a command of roff, and each hyphen can be pasted. */
function text(words: string): string {
  return words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')
}

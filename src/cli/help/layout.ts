import type { Style } from '../../views/format/style.js'
import type { CommandPage, Entry, Example } from './command-page.js'

/** A longer term has its text below it. */
const WIDEST_TERM = 30

/** The help of a command. */
export function commandText(page: CommandPage, { colour }: Style, width: number): string {
  const title = (text: string) => colour.bold(text)
  const { arguments: args, options, examples, topics } = page
  const listed = [...args, ...options.flatMap(({ entries }) => entries)]
  const list = (entries: readonly Entry[]) => listText(entries, width, termWidth(listed))
  const sections = [
    `${title(page.summary)}\n`,
    page.description === '' ? '' : `${paragraphs(page.description, width)}\n`,
    `${title('USAGE')}\n${page.usage.map(line => `  $ ${line}\n`).join('')}`,
    args.length > 0 ? `${title('ARGUMENTS')}\n${list(args)}` : '',
    ...options.slice(0, -1).map(section => `${title(section.title)}\n${list(section.entries)}`),
    examples.length > 0 ? `${title('EXAMPLES')}\n${examplesText(examples)}` : '',
    ...options.slice(-1).map(section => `${title(section.title)}\n${list(section.entries)}`),
    topics.length > 0 ? `${title('SEE ALSO')}\n${topics.map(topic => `  qanat help ${topic}\n`).join('')}` : '',
  ]
  return sections.filter(section => section !== '').join('\n')
}

/** Terms with their texts beside them. @param column of the texts, without their indentation */
export function listText(entries: readonly Entry[], width: number, column = termWidth(entries)): string {
  const indent = ' '.repeat(column + 4)
  return entries
    .map(({ term, text }) => {
      const lines = filled(text, width - indent.length)
      const first = term.length > column ? `  ${term}\n${indent}` : `  ${term.padEnd(column)}  `
      return `${first}${lines.join(`\n${indent}`)}`.trimEnd()
    })
    .map(line => `${line}\n`)
    .join('')
}

function termWidth(entries: readonly Entry[]): number {
  return Math.max(0, ...entries.map(({ term }) => term.length).filter(length => length <= WIDEST_TERM))
}

/** An example is pasted: it is never broken. */
function examplesText(examples: readonly Example[]): string {
  return examples
    .map(({ title, line }, at) => `${title === '' ? '' : `${at > 0 ? '\n' : ''}  ${title}:\n`}  $ ${line}\n`)
    .join('')
}

/** Paragraphs fill the width; lines that begin with two blanks stay as they are. */
function paragraphs(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap(line => (line.startsWith('  ') ? [line] : filled(line, width)))
    .join('\n')
}

function filled(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

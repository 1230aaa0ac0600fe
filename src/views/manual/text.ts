import { flowed } from '../explore/wrap.js'
import { aligned } from '../format/aligned.js'
import type { Style } from '../format/style.js'
import { linkedPage, type ManualPage, pagesOf, sections } from './pages.js'
import type { Found } from './search.js'

const most = 5

/** The topics of `qanat help`, those of a section after its name, as many on a line as fit. */
export function topicsText(pages: readonly ManualPage[], width: number): string {
  const column = Math.max(...sections.map(section => section.length)) + 4
  const lines = sections.flatMap(section => {
    const topics = pagesOf(pages, section).map(({ topic }) => topic)
    return flowed(topics, width - column).map((line, at) => `  ${at === 0 ? section : ''}`.padEnd(column) + line)
  })
  return lines.join('\n')
}

/** The pages that have some words, each with a line that has them. */
export function foundText(found: readonly Found[], words: readonly string[], { columns, colour }: Style): string {
  const shown = found.slice(0, most)
  const rows = shown.map(({ page, heading, line }) => [
    `  ${colour.bold(callOf(page))}`,
    [heading === page.title ? '' : heading, plain(line)].filter(text => text !== '').join(': '),
  ])
  const of = found.length > most ? `${found.length}, the best ${most}` : `${found.length}`
  return `Pages about '${words.join(' ')}' (${of}):\n${aligned(rows, columns)}`
}

/** The line that shows a page. */
export function callOf({ topic, section }: ManualPage): string {
  return lineFor(topic, section === 'commands')
}

function lineFor(topic: string | null, isCommand: boolean): string {
  return isCommand && topic !== null ? `qanat ${topic} --help` : `qanat help ${topic ?? ''}`.trimEnd()
}

/** The text of a page for a terminal, where a link is the line that shows the other page. */
export function textWithCalls(text: string): string {
  return text.replace(/\]\(([^()\s]+)\)/g, (link, href: string) => {
    const page = linkedPage(href)
    return page ? `](<${lineFor(page.topic, page.isCommand)}>)` : link
  })
}

function plain(line: string): string {
  return line
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|`/g, '')
    .replace(/^(\||>|[-*] |\d+\. )\s*/, '')
    .replace(/\s*\|\s*/g, '  ')
    .trim()
}

import { wrapAnsi } from 'fast-wrap-ansi'
import { Marked, type RendererObject, type Tokens } from 'marked'
import { aligned, columnWidths } from './aligned.js'
import type { Style } from './style.js'

/** What lists and quotes may add to the left of a paragraph. */
const margin = 4

/**
 * Renders Markdown for a terminal: emphasis in bold and italics, lists with bullets, code and quotes indented, tables aligned.
 * @param width to which the lines of a paragraph are filled; null: they stay as they are in the text
 */
export function markdownText(style: Style, text: string, width: number | null = null): string {
  const marked = new Marked({ gfm: true, renderer: rendererOf(style, width) })
  const rendered = marked.parse(withoutControls(text), { async: false })
  return `${rendered.replace(/\n{3,}/g, '\n\n').replace(/^\n+|\n+$/g, '')}\n`
}

/** Control characters in the file must not control the terminal. */
function withoutControls(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
}

function rendererOf({ colour }: Style, width: number | null): RendererObject {
  const filled = (paragraph: string) =>
    width === null ? paragraph : wrapAnsi(paragraph.replace(/(?<! {2})\n/g, ' '), width - margin)
  return {
    heading({ tokens, depth }) {
      const text = this.parser.parseInline(tokens)
      return `${depth === 1 ? colour.bold.underline(text) : colour.bold(text)}\n\n`
    },
    paragraph({ tokens }) {
      return `${filled(this.parser.parseInline(tokens))}\n\n`
    },
    blockquote({ tokens }) {
      return `${indented(this.parser.parse(tokens), colour.dim('│ '))}\n\n`
    },
    code({ text }) {
      return `${indented(colour.cyan(text), '    ')}\n\n`
    },
    list(list: Tokens.List) {
      const items = list.items.map((item, index) => {
        const bullet = list.ordered ? `${Number(list.start || 1) + index}. ` : '• '
        const body = indented(this.parser.parse(item.tokens), ' '.repeat(bullet.length))
        return bullet + body.trimStart()
      })
      return `${items.join('\n')}\n\n`
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    hr: () => `${colour.dim('─'.repeat(40))}\n\n`,
    table({ header, rows }) {
      const texts = (cells: readonly Tokens.TableCell[]) => cells.map(cell => this.parser.parseInline(cell.tokens))
      const lines = [texts(header).map(text => colour.bold(text)), ...rows.map(texts)]
      return `${fits(lines, width) ? aligned(lines) : stacked(lines, width!)}\n\n`
    },
    strong({ tokens }) {
      return colour.bold(this.parser.parseInline(tokens))
    },
    em({ tokens }) {
      return colour.italic(this.parser.parseInline(tokens))
    },
    del({ tokens }) {
      return colour.strikethrough(this.parser.parseInline(tokens))
    },
    codespan: ({ text }) => colour.cyan(text),
    br: () => '\n',
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      return text === href ? colour.underline(text) : `${text} (${colour.underline(href)})`
    },
    image: ({ href, text }) => `${text} (${colour.underline(href)})`,
    html: ({ text }) => text,
    text(token) {
      return 'tokens' in token && token.tokens ? `${filled(this.parser.parseInline(token.tokens))}\n` : token.text
    },
  }
}

function fits(lines: readonly (readonly string[])[], width: number | null): boolean {
  return width === null || columnWidths(lines).reduce((sum, each) => sum + each + 2, -2) <= width
}

/** Rows of a table that is too wide: the first cell, and below it the others. */
function stacked([, ...rows]: readonly (readonly string[])[], width: number): string {
  return rows
    .map(([first, ...others]) => [first, ...others.map(cell => indented(wrapAnsi(cell, width - margin), '    '))])
    .map(lines => lines.join('\n'))
    .join('\n')
}

function indented(text: string, indent: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map(line => (line === '' ? '' : indent + line))
    .join('\n')
}

import { Marked, type RendererObject, type Tokens } from 'marked'
import type { Style } from './style.js'

/** Renders Markdown for a terminal: emphasis in bold and italics, lists with bullets, code and quotes indented. */
export function markdownText(style: Style, text: string): string {
  const marked = new Marked({ gfm: true, renderer: rendererOf(style) })
  const rendered = marked.parse(withoutControls(text), { async: false })
  return `${rendered.replace(/\n{3,}/g, '\n\n').replace(/^\n+|\n+$/g, '')}\n`
}

/** Control characters in the file must not control the terminal. */
function withoutControls(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
}

function rendererOf({ colour }: Style): RendererObject {
  return {
    heading({ tokens, depth }) {
      const text = this.parser.parseInline(tokens)
      return `${depth === 1 ? colour.bold.underline(text) : colour.bold(text)}\n\n`
    },
    paragraph({ tokens }) {
      return `${this.parser.parseInline(tokens)}\n\n`
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
      const cells = [header, ...rows].map(row => row.map(cell => this.parser.parseInline(cell.tokens)).join('  '))
      return `${cells.join('\n')}\n\n`
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
      return 'tokens' in token && token.tokens ? `${this.parser.parseInline(token.tokens)}\n` : token.text
    },
  }
}

function indented(text: string, indent: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map(line => (line === '' ? '' : indent + line))
    .join('\n')
}

import { withoutControls } from '../format/displayable.js'

const special: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text that stands in HTML as it is, also in quotes. Control characters, which HTML does not allow, are made visible. */
export function escapedHtml(text: string): string {
  return withoutControls(text).replace(/[&<>"']/g, character => special[character]!)
}

/** What the `h` of pages needs of an element, which becomes text. */
class Markup {
  private attributes = ''
  private content = ''

  constructor(private readonly name: string) {}

  setAttribute(name: string, value: string): void {
    this.attributes += ` ${name}="${escapedHtml(value)}"`
  }

  append(...children: readonly (Markup | string)[]): void {
    for (const child of children) this.content += typeof child === 'string' ? escapedHtml(child) : child
  }

  toString(): string {
    const start = `<${this.name}${this.attributes}>`
    return withoutContent.includes(this.name) ? start : `${start}${this.content}</${this.name}>`
  }
}

const withoutContent = ['source', 'img', 'input']

/** What the `h` of pages needs of a document, to make HTML as text. */
export const markup = {
  createElement: (name: string) => new Markup(name),
  createElementNS: (_: string, name: string) => new Markup(name),
}

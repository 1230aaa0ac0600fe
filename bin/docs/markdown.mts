/** A page of the reference, which is written by `npm run docs`. Its first lines are for the tests of pages, see test/docs. */
export function page(title: string, ...blocks: readonly string[]): string {
  const head = '<!-- project: none: no commands -->\n<!-- Written by npm run docs. -->'
  return `${[head, `# ${title}`, ...blocks.filter(block => block !== '')].join('\n\n')}\n`
}

export function section(title: string, ...blocks: readonly string[]): string {
  const filled = blocks.filter(block => block !== '')
  return filled.length === 0 ? '' : [`## ${title}`, ...filled].join('\n\n')
}

export function list(items: readonly string[]): string {
  return items.map(item => `- ${item}`).join('\n')
}

export function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
}

export function code(text: string): string {
  return `\`${text}\``
}

/** A plain text, in which no character is a mark. */
export function plain(text: string): string {
  return text.replace(/[*<\\]/g, '\\$&').replace(/(?<!\w)_|_(?!\w)/g, '\\_')
}

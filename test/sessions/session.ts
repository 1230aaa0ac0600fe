import { marked, type Token } from 'marked'

/** A command that a session shows, and what it prints. */
export interface Shown {
  readonly command: string
  /** It only prepares what follows: what it prints does not matter, nor whether groups fail (exit code 1). */
  readonly isAside: boolean
  /** What it prints stands behind it in the same line. */
  readonly isInline: boolean
  /** What stands below it, without the line of the exit code. */
  readonly output: string
  readonly code: number
}

/** A piece of a session: text between the blocks of code, a file to write, or commands to type. */
export type Step =
  | { readonly kind: 'text'; readonly raw: string }
  | { readonly kind: 'file'; readonly raw: string; readonly path: string; readonly text: string }
  | { readonly kind: 'console'; readonly raw: string; readonly shown: readonly Shown[] }

/** What stands below a heading of the first rank: a test, in a folder of its own. */
export interface Story {
  readonly title: string
  readonly steps: Step[]
}

/**
 * The stories of a Markdown file. ```` ```yaml grid.yaml ```` writes a file, and ```` ```console ```` holds commands
 * (`$ …`, further lines of one begin with `> `), each with its output and, unless it is 0, `[exit N]`; those behind `%`
 * only prepare the others. What is short may stand behind its command: `$ … → first line ⏎ second line [exit N]`.
 * @throws Error for text before the first heading, and for output before the first command of a block
 */
export function storiesOf(markdown: string): Story[] {
  const stories: Story[] = []
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading' && token.depth === 1) stories.push({ title: token.text, steps: [] })
    const story = stories.at(-1)
    if (story === undefined) throw new Error(`a session begins with a heading, not with ${token.raw}`)
    story.steps.push(stepOf(token))
  }
  return stories
}

/** What a token of Markdown is in a session. */
export function stepOf(token: Token): Step {
  const { type, raw, lang = '', text } = token as { type: string; raw: string; lang?: string; text: string }
  if (type !== 'code') return { kind: 'text', raw }
  if (lang === 'console') return { kind: 'console', raw, shown: shownIn(text) }
  const path = lang.split(/\s+/)[1]
  return path === undefined ? { kind: 'text', raw } : { kind: 'file', raw, path, text: `${text}\n` }
}

/** The commands of a block with what they print. */
export function shownIn(block: string): Shown[] {
  const [before, ...pieces] = `\n${block}`.split(/\n(?=[$%] )/)
  if (before !== '') throw new Error(`there is no command above ${before}`)
  return pieces.map(whole => {
    const piece = whole.slice(2)
    const { index } = /(?!\n> )\n|$/.exec(piece)!
    const words = piece.slice(0, index).replaceAll('\n> ', '\n')
    const inline = / →(?: .*)?$/.exec(words)
    const printed = inline ? `\n${inline[0].slice(3)}`.replace(/ ?(\[exit \d+\])$/, '\n$1') : piece.slice(index)
    const code = /\n\[exit (\d+)\]\s*$/.exec(printed)
    const output = (code ? printed.slice(0, code.index) : printed).slice(1)
    return {
      command: inline ? words.slice(0, inline.index) : words,
      isAside: whole.startsWith('%'),
      isInline: inline !== null,
      output: inline ? output.replaceAll(' ⏎ ', '\n') : output,
      code: Number(code?.[1] ?? 0),
    }
  })
}

/** A block of commands as the file has it, with these outputs. */
export function consoleBlock(shown: readonly Shown[]): string {
  const lines = shown.flatMap(({ command, isAside, isInline, output, code }) => {
    const typed = `${isAside ? '%' : '$'} ${command.replaceAll('\n', '\n> ')}`
    const printed = [...(output === '' ? [] : [output]), ...(code === 0 ? [] : [`[exit ${code}]`])]
    const inline = [typed, '→', ...printed].join(' ').replaceAll('\n', ' ⏎ ')
    return isInline && inline.length <= 120 ? [inline] : [typed, ...printed]
  })
  return `\`\`\`console\n${lines.join('\n')}\n\`\`\``
}

/**
 * Whether a text is as shown. `…` stands for anything within a line, and alone on a line for any lines or none; blanks at
 * the ends of lines and empty lines at the end do not count.
 */
export function isAsShown(output: string, shown: string): boolean {
  const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const pattern = lines(shown).map(line =>
    line.trim() === '…' ? '(?:.*\n)*?' : `${line.split('…').map(escaped).join('.*')}\n`,
  )
  return new RegExp(`^${pattern.join('')}$`).test(`${lines(output).join('\n')}\n`)
}

function lines(text: string): string[] {
  return text.trimEnd().split(/[ \t]*\n/)
}

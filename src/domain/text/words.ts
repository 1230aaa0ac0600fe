import { UserError } from '../../errors.js'

const BLANK = /[ \t\n]+/y
const PLAIN = /[^ \t\n'"\\]+/y
const SINGLE_QUOTED = /'([^']*)'/y
const DOUBLE_QUOTED = /"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/y
const ESCAPED = /\\([\s\S])/y
/** Characters of a text that an error repeats. */
const longestShown = 200

/** Texts that splitWords can split: quotes are closed, and something follows each backslash. */
export const SPLITTABLE = /^(?:[^'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")*$/

/**
 * Splits a text into words as a POSIX shell does (quotes, backslashes), evaluating nothing: `$x`, `*` and `;` stay.
 * @throws UserError if a quote is not closed or nothing follows the last backslash.
 */
export function splitWords(text: string): string[] {
  // The shlex package is not used: it unescapes twice where quoted and unquoted parts meet, and evaluates $'…'.
  const words: string[] = []
  let word: string | null = null
  let at = 0
  const piece = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (!match) return null
    at = pattern.lastIndex
    return match[1] ?? match[0]
  }
  while (at < text.length) {
    if (piece(BLANK) !== null) {
      if (word !== null) words.push(word)
      word = null
      continue
    }
    const next = piece(PLAIN) ?? piece(SINGLE_QUOTED) ?? doubleQuoted(piece(DOUBLE_QUOTED)) ?? piece(ESCAPED)
    if (next === null) throw unfinished(text, at)
    const continuesLine = next === '\n' && text[at - 2] === '\\'
    if (!continuesLine) word = (word ?? '') + next
  }
  if (word !== null) words.push(word)
  return words
}

function doubleQuoted(content: string | null): string | null {
  return content === null ? null : content.replace(/\\([$`"\\])|\\\n/g, '$1')
}

function unfinished(text: string, at: number): UserError {
  const shown = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
  if (text[at] === '\\') return new UserError(`nothing follows the backslash at the end of: ${shown}`)
  return new UserError(`the quote ${text[at]} at character ${at + 1} is not closed: ${shown}`)
}

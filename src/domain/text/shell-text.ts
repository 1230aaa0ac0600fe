/** The name of the variable that contains a newline, so that a quoted word is always one line of text. */
export const newlineVariable = 'QANAT_NEWLINE'

/**
 * One word for a POSIX shell that evaluates to exactly `text`, on one line.
 * Nothing in it is ever expanded; newlines come from the variable {@link newlineVariable}.
 */
export function quoteWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  // A launch quotes a text of each group: this takes less time than a replacement.
  return `'${text.replaceAll("'", `'\\''`).split('\n').join(`'"$${newlineVariable}"'`)}'`
}

/** Words quoted and joined, ready for `eval`. */
export function quoteWords(words: readonly string[]): string {
  return words.map(quoteWord).join(' ')
}

/** Splits the first word off a text made by {@link quoteWords}: the unquoted word, and the rest unchanged. */
export function takeWord(text: string): { word: string; rest: string } {
  const quoted = /^(?:'[^']*'|\\'|"\$QANAT_NEWLINE"|[\w@%+=:,./-])*/.exec(text)![0]
  const word = quoted.replace(
    /'([^']*)'|\\(')|"\$QANAT_NEWLINE"/g,
    (piece, literal, quote) => literal ?? quote ?? (piece && '\n'),
  )
  return { word, rest: text.slice(quoted.length + 1) }
}

/** A command as a person can paste it into a shell: quoted words, newlines as they are. */
export function displayCommand(words: readonly string[]): string {
  return words.map(word => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`)).join(' ')
}

/**
 * A word of `executable_command`: `$NAME`, `${NAME}` and a leading `~` are expanded where the group runs,
 * everything else is literal.
 */
export function expandableWord(word: string): string {
  // A tilde is expanded only if it and the slash after it are unquoted.
  const tilde = /^~([A-Za-z_][\w.-]*)?(\/|$)/.exec(word)?.[0] ?? ''
  const rest = word
    .slice(tilde.length)
    .replace(/[\\"`]/g, '\\$&')
    .replace(/\$(?!([A-Za-z_]\w*|\{[A-Za-z_]\w*\}))/g, '\\$')
    .replaceAll('\n', `\${${newlineVariable}}`)
  return rest === '' && tilde !== '' ? tilde : `${tilde}"${rest}"`
}

/** Codes for bold, dim, italics, underlined and struck through, and their ends: they are harmless anywhere. */
const styled = String.raw`\x1b\[(?:[12349]|2[2349])m`
/** Text coloured by our views: a few words between the code of a colour and its end. */
const printed = String.raw`[^\x00-\x1f\x7f-\x9f]*`
const coloured = String.raw`\x1b\[3[1-6]m${printed}(?:${styled}${printed})*\x1b\[39m`
const acting = new RegExp(String.raw`${coloured}|${styled}|[\x00-\x08\x0b-\x1f\x7f-\x9f]`, 'g')

/**
 * Makes text safe for a terminal: control characters, which somebody may have put into a name or a description, are
 * shown as `\x1b`. Newlines, tabs and our own colours are kept.
 */
export function displayable(text: string): string {
  return text.replace(acting, found => (found.length > 1 ? found : escaped(found, '\\x', 2)))
}

/** The same on one line: a newline, which a name or a parameter may contain, is shown as `⏎`, and a tab as a blank. */
export function displayableLine(text: string): string {
  return displayable(text.replaceAll('\n', '⏎').replaceAll('\t', ' '))
}

/** Text without any control characters, for files in which they are not allowed. Newlines and tabs are kept. */
export function withoutControls(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, found => escaped(found, '\\x', 2))
}

/** The same on one line, for cells of tables in such files: white space is a blank. */
export function plainLine(text: string): string {
  return withoutControls(text.replace(/\s+/g, ' '))
}

/** JSON without characters that control a terminal. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/[\x7f-\x9f]/g, found => escaped(found, '\\u', 4))
}

function escaped(character: string, prefix: string, digits: number): string {
  return prefix + character.charCodeAt(0).toString(16).padStart(digits, '0')
}

/** Bold, dim, italics, underlined, struck through, and their ends: they hide nothing, wherever they stand. */
const styled = String.raw`\x1b\[(?:[12349]|2[2349])m`
/** What our views colour: a few words between the codes of a colour and of its end. */
const coloured = String.raw`\x1b\[3[1-6]m(?:[^\x00-\x1f\x7f-\x9f]|${styled})*\x1b\[39m`
const acting = new RegExp(String.raw`${coloured}|${styled}|[\x00-\x08\x0b-\x1f\x7f-\x9f]`, 'g')

/**
 * Text that cannot act on a terminal: control characters, which somebody may have put into a name or a description, are
 * shown as `\x1b`. Newlines, tabs and our own colours stay.
 */
export function displayable(text: string): string {
  return text.replace(acting, found => (found.length > 1 ? found : escaped(found, '\\x', 2)))
}

/** JSON for people and programs, with no character in it that acts on a terminal. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/[\x7f-\x9f]/g, found => escaped(found, '\\u', 4))
}

function escaped(character: string, prefix: string, digits: number): string {
  return prefix + character.charCodeAt(0).toString(16).padStart(digits, '0')
}

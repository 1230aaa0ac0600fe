/** Values of parameters that have one place in a plot: numbers, and texts as typed, of which an empty one is a flag. Null is no value. */
export type Place = readonly (number | string | null)[]

/**
 * The text of each place, the same for the same values only. Values have quotes, and escape codes for what does not show, if
 * the texts of different places would look the same without.
 */
export function placeTexts(places: readonly Place[]): string[] {
  const texts = places.map(place => place.map(plainText).join(', '))
  const different = new Set(places.map(place => JSON.stringify(place))).size
  if (new Set(texts.map(lookOf)).size === different) return texts
  return places.map(place => place.map(exactText).join(', '))
}

function plainText(value: Place[number]): string {
  return value === '' ? 'yes' : String(value ?? '–')
}

/** What a picture shows of a text at most: neither what has no shape, nor how many blanks there are, nor escape codes apart from text. */
function lookOf(text: string): string {
  return text.replace(/(?:[\s\p{C}\ufffd]|\\x[\da-f]{2})+/gu, ' ').trim()
}

function exactText(value: Place[number]): string {
  if (typeof value !== 'string') return String(value ?? '–')
  if (value === '') return '✓'
  return JSON.stringify(value)
    .replace(/(?! )[\s\p{C}␣]/gu, character => `\\u{${character.codePointAt(0)!.toString(16)}}`)
    .replace(/ {2,}/g, blanks => '␣'.repeat(blanks.length))
}

/**
 * The values of the parameters that share one place in a plot: numbers, or texts as typed. An empty text is a flag, and
 * null is no value.
 */
export type Place = readonly (number | string | null)[]

/** The text of no value. */
export const noValue = '–'

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
  return value === '' ? 'yes' : String(value ?? noValue)
}

/**
 * How a text looks in a picture: invisible characters, the number of blanks and escape codes cannot be told apart
 * there.
 */
function lookOf(text: string): string {
  return text.replace(/(?:[\s\p{C}\ufffd]|\\x[\da-f]{2})+/gu, ' ').trim()
}

function exactText(value: Place[number]): string {
  if (typeof value !== 'string') return String(value ?? noValue)
  if (value === '') return '✓'
  return JSON.stringify(value)
    .replace(/(?! )[\s\p{C}␣]/gu, character => `\\u{${character.codePointAt(0)!.toString(16)}}`)
    .replace(/ {2,}/g, blanks => '␣'.repeat(blanks.length))
}

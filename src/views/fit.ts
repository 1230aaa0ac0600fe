import stringWidth from 'string-width'

/** A line cut to that width, with a sign where something is missing; a newline in it counts as a blank. */
export function fitted(text: string, width: number): string {
  const line = text.replaceAll('\n', ' ')
  if (stringWidth(line) <= width) return line
  let cut = ''
  let used = 1
  for (const character of line) {
    used += stringWidth(character)
    if (used > width) break
    cut += character
  }
  return `${cut}…`
}

import stringWidth from 'string-width'

/** Breaks a line into pieces that are not wider than a terminal; an empty line is one piece. */
export function wrapped(line: string, width: number): string[] {
  if (/^[\x20-\x7e]*$/.test(line)) {
    const count = Math.max(1, Math.ceil(line.length / width))
    return Array.from({ length: count }, (_, at) => line.slice(at * width, (at + 1) * width))
  }
  const pieces: string[] = []
  let piece = ''
  let used = 0
  for (const character of line) {
    const needed = stringWidth(character)
    if (used + needed > width) {
      pieces.push(piece)
      piece = ''
      used = 0
    }
    // A character that is wider than the terminal cannot be shown.
    piece += needed > width ? '…' : character
    used += Math.min(needed, width)
  }
  return [...pieces, piece]
}

/** Texts in a row, as many on a line as fit, two spaces apart. */
export function flowed(texts: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const text of texts) {
    const longer = lines.length === 0 ? null : `${lines.at(-1)}  ${text}`
    if (longer !== null && stringWidth(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(text)
  }
  return lines
}

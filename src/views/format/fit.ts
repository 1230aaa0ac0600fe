import stringWidth from 'string-width'

/** A line cut to that width, with a sign where something is missing; a newline in it counts as a blank. */
export function fitted(text: string, width: number): string {
  const line = text.replaceAll('\n', ' ')
  if (stringWidth(line) <= width) return line
  let cut = ''
  let used = 1
  let isCut = false
  for (const [piece] of line.matchAll(/\x1b\[[\d;]*m|./gsu)) {
    // Colour codes take no room, and they are kept behind the cut, too: one of them ends the colour.
    if (!piece.startsWith('\x1b')) used += stringWidth(piece)
    if (piece.startsWith('\x1b')) cut += piece
    else if (used <= width) cut += piece
    else if (!isCut) {
      cut += '…'
      isCut = true
    }
  }
  return cut
}

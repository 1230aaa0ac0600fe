import stringWidth from 'string-width'

/** Cuts a line to a width and marks the cut; newlines in it become blanks. */
export function fitted(text: string, width: number): string {
  const line = text.replaceAll('\n', ' ')
  if (stringWidth(line) <= width) return line
  let cut = ''
  let used = 1
  let isCut = false
  for (const [piece] of line.matchAll(/\x1b\[[\d;]*m|./gsu)) {
    // Colour codes have no width. They are kept even after the cut, since one of them ends the colour.
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

/**
 * A line of a log as a terminal would show it in the end: of a progress bar that is drawn again and again only the last
 * state, and no colours.
 */
export function drawnLine(line: string): string {
  return line
    .replace(/\r+$/, '')
    .replace(/^.*\r/s, '')
    .replace(/\x1b\[[\d;]*[A-Za-z]/g, '')
}

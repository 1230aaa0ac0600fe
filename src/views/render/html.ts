import { withoutControls } from '../format/displayable.js'

const special: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text that stands in HTML as it is, also in quotes. Control characters, which HTML does not allow, are made visible. */
export function escapedHtml(text: string): string {
  return withoutControls(text).replace(/[&<>"']/g, character => special[character]!)
}

/** Longer texts are broken into lines. */
const longestOnLine = 30

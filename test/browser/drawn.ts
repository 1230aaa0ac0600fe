/** The shapes and texts of a picture, without its colours. */
export function drawn(svg: string): string[] {
  return [...svg.matchAll(/ d="([^"]*)"|<text[^>]*>([^<]*)/g)].map(([, path, text]) => path ?? text!)
}

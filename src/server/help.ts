import { readShipped } from '../system/shipped.js'
import { pageHtml, pagesHtml } from '../views/manual/html.js'
import { pageNamed, parseManual } from '../views/manual/pages.js'

/** The documentation at /help and /help/TOPIC. @param query words that are searched for @returns null at other addresses */
export function helpPage(path: string, query: string): string | null {
  const match = /^\/help(?:\/([^/]+))?$/.exec(path)
  if (match === null) return null
  const [, topic] = match
  const pages = parseManual(readShipped('manual.json'))
  const page = topic === undefined ? null : pageNamed(pages, [topic])
  return page ? pageHtml(page) : pagesHtml(pages, topic ?? query)
}

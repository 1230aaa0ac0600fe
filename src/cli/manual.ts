import { nearest, shortened } from '../domain/text/names.js'
import { UserError } from '../errors.js'
import { page } from '../system/output/pager.js'
import { readShipped } from '../system/shipped.js'
import { displayable } from '../views/format/displayable.js'
import { styleOf } from '../views/format/style.js'
import { type ManualPage, pageNamed, parseManual } from '../views/manual/pages.js'
import { searchManual } from '../views/manual/search.js'
import { foundText, textWithCalls, topicsText } from '../views/manual/text.js'

/** Lines of a paragraph are harder to read if they are longer. */
const widest = 100

/**
 * Shows the page of the documentation that the words name, or names the pages that have the words.
 * @param commands what has a help of its own
 * @throws UserError if there is neither, with the command or the topic that was probably meant
 */
export async function showManual(words: readonly string[], commands: readonly string[]): Promise<void> {
  const pages = parseManual(readShipped('manual.json'))
  const named = pageNamed(pages, words)
  if (named) return showPage(named)
  const found = searchManual(pages, words)
  if (found.length > 0) {
    process.stdout.write(`${displayable(foundText(found, words, styleOf(process.stdout)))}\n`)
    return
  }
  const topics = pages.filter(({ section }) => section !== 'commands').map(({ topic }) => topic)
  const meant = nearest(words.join(' '), [...commands, ...topics])
  const said = `no command and no page has '${shortened(words.join(' '))}'`
  if (meant === null) throw new UserError(said, 'qanat help        lists commands and topics')
  throw new UserError(`${said}. Did you mean '${meant}'?`, `qanat help ${meant}`)
}

/** The topics of `qanat help`. */
export function helpTopics(width: number): string {
  return topicsText(parseManual(readShipped('manual.json')), width)
}

async function showPage({ text }: ManualPage): Promise<void> {
  const { markdownText } = await import('../views/format/markdown.js')
  const style = styleOf(process.stdout)
  const shown = markdownText(
    style,
    textWithCalls(text),
    style.columns === null ? null : Math.min(style.columns, widest),
  )
  const isLong = process.stdout.isTTY && shown.split('\n').length > process.stdout.rows
  if (isLong) await page([shown])
  else process.stdout.write(shown)
}

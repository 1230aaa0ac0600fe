import type { ManualPage } from './pages.js'

/** Where a page has the words that were searched for. */
export interface Found {
  readonly page: ManualPage
  readonly heading: string
  /** The first sentence or line with most of them, or the first one of the part if only its heading has them. */
  readonly line: string
}

/** A part of a page: the paragraphs, and the lines of code and of tables, below a heading. */
interface Part {
  readonly heading: string
  readonly lines: readonly string[]
}

/**
 * The pages that have a part with all of the words, the best first: those that have them in headings, then those that have
 * them most often. The case of letters does not matter, and a word may be the beginning of a longer one. Several words in one
 * are searched for as they stand, and if no page has them so, each by itself.
 */
export function searchManual(pages: readonly ManualPage[], words: readonly string[]): Found[] {
  const found = pagesWith(pages, words)
  const single = words.flatMap(word => word.split(' ')).filter(word => word !== '')
  return found.length > 0 || single.length === words.length ? found : pagesWith(pages, single)
}

function pagesWith(pages: readonly ManualPage[], words: readonly string[]): Found[] {
  const patterns = words.map(word => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}`, 'giu'))
  const found = pages.flatMap(page => {
    const parts = partsOf(page.text).map(part => ({ part, score: scoreOf(part, page, patterns) }))
    const best = parts.reduce((one, other) => (other.score > one.score ? other : one))
    if (best.score === 0) return []
    return [{ page, heading: best.part.heading, line: lineWith(best.part, patterns), score: best.score }]
  })
  return found.sort((one, other) => other.score - one.score)
}

/** 0 if a word is missing. A word in a heading counts as ten, since a part is about what its heading names. */
function scoreOf({ heading, lines }: Part, page: ManualPage, patterns: readonly RegExp[]): number {
  const counts = patterns.map(pattern => {
    const above = counted(pattern, heading) + counted(pattern, page.title)
    return 10 * above + Math.min(9, counted(pattern, lines.join('\n')))
  })
  return counts.includes(0) ? 0 : counts.reduce((sum, count) => sum + count, 0)
}

const sentenceEnd = /(?<=[.!?]) (?=[\p{Lu}`])/u

function lineWith({ lines }: Part, patterns: readonly RegExp[]): string {
  const had = (line: string) => patterns.filter(pattern => counted(pattern, line) > 0).length
  const texts = lines.filter(line => line !== '' && !line.startsWith('```')).flatMap(line => line.split(sentenceEnd))
  return texts.reduce((one, other) => (had(other) > had(one) ? other : one), texts[0] ?? '')
}

function counted(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0
}

/** A line of text, and one that goes on with the paragraph or the item of a list before it. */
const isText = /^(?!```|\||<!--|$)/
const goesOn = /^(?!\s*(```|\||>|<!--|[-*] |\d+\. |$))/

function partsOf(text: string): Part[] {
  const parts: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }]
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const [, heading] = (!isCode && /^#+ (.*)/.exec(line)) || []
    const { lines } = parts.at(-1)!
    if (heading !== undefined) parts.push({ heading: heading.replaceAll('`', ''), lines: [] })
    else if (!isCode && goesOn.test(line) && isText.test(lines.at(-1) ?? ''))
      lines.push(`${lines.pop()} ${line.trim()}`)
    else lines.push(line)
  }
  return parts
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

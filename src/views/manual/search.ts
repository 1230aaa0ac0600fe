import type { ManualPage } from './pages.js'

/** Where a page has the words that were searched for. */
export interface Found {
  readonly page: ManualPage
  /** The heading of the part that has them. */
  readonly heading: string
  /** The first line with most of them, or the first line of the part if only its heading has them. */
  readonly line: string
}

/** A part of a page: what stands below a heading. */
interface Part {
  readonly heading: string
  readonly lines: readonly string[]
}

/**
 * The pages that have a part with all of the words, the best first: those that have them in headings, then those that have
 * them most often. The case of letters does not matter, and a word may be the beginning of a longer one.
 */
export function searchManual(pages: readonly ManualPage[], words: readonly string[]): Found[] {
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

function lineWith({ lines }: Part, patterns: readonly RegExp[]): string {
  const had = (line: string) => patterns.filter(pattern => counted(pattern, line) > 0).length
  const texts = lines.filter(line => line !== '' && !line.startsWith('```'))
  return texts.reduce((one, other) => (had(other) > had(one) ? other : one), texts[0] ?? '')
}

function counted(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0
}

function partsOf(text: string): Part[] {
  const parts: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }]
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const [, heading] = (!isCode && /^#+ (.*)/.exec(line)) || []
    if (heading === undefined) parts.at(-1)!.lines.push(line)
    else parts.push({ heading: heading.replaceAll('`', ''), lines: [] })
  }
  return parts
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

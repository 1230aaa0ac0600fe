import { marked, type Token, type Tokens } from 'marked'
import { expect, test } from 'vitest'
import { pages, read } from './page.js'

/** Pages that may have more than 150 lines, and how many. */
const long: Readonly<Record<string, number>> = { 'docs/errors.md': 500, 'docs/reference/json.md': 210 }

/** Phrases that nobody says, or that say nothing. */
const banned = ['but for', 'nor any', 'as it says itself', 'is so', 'told', 'a row a', 'simply', 'easily']

/** The paragraphs of a page, those of lists and tables too, with each piece of code as a single word. */
function paragraphsOf(markdown: string): string[] {
  return marked.lexer(markdown).flatMap(paragraphsIn)
}

function paragraphsIn(token: Token): string[] {
  if (token.type === 'list') return (token as Tokens.List).items.flatMap(({ tokens }) => tokens.flatMap(paragraphsIn))
  if (token.type === 'table') return cellsOf(token as Tokens.Table).map(({ tokens }) => prose(tokens))
  if (token.type === 'blockquote') return (token as Tokens.Blockquote).tokens.flatMap(paragraphsIn)
  return token.type === 'paragraph' || token.type === 'text' ? [prose([token])] : []
}

const cellsOf = ({ header, rows }: Tokens.Table) => [header, ...rows].flat()

function prose(tokens: readonly Token[]): string {
  const texts = tokens.map(token => {
    if (token.type === 'codespan') return 'CODE'
    return 'tokens' in token && token.tokens ? prose(token.tokens) : 'text' in token ? (token.text as string) : ''
  })
  return texts.join('')
}

const words = (text: string) => text.split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length

test.each(pages)('%s is easy to read', page => {
  const markdown = read(page)
  const limit = long[page] ?? 150
  const lines = markdown.split('\n').length - 1
  const paragraphs = paragraphsOf(markdown)
  const sentences = paragraphs.flatMap(text => text.split(/(?<=[.!?])\s+/))
  expect.soft(lines, `lines, of which there may be ${limit}`).toBeLessThanOrEqual(limit)
  expect
    .soft(
      paragraphs.filter(text => words(text) > 90),
      'paragraphs of more than 90 words',
    )
    .toEqual([])
  expect
    .soft(
      sentences.filter(text => words(text) > 30),
      'sentences of more than 30 words',
    )
    .toEqual([])
  const pattern = new RegExp(`\\b(${banned.join('|')})\\b`, 'i')
  expect
    .soft(
      paragraphs.filter(text => pattern.test(text)),
      'phrases that are banned',
    )
    .toEqual([])
})

test.each(pages.filter(page => /^docs\/(tutorial|how-to|explanation)\//.test(page)))(
  '%s says first for whom it is',
  page => {
    expect(read(page).split('\n').slice(0, 4)).toEqual([
      expect.stringMatching(/^<!-- project: /),
      expect.stringMatching(/^# /),
      '',
      expect.stringMatching(/^For /),
    ])
  },
)

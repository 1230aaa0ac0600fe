import { existsSync } from 'node:fs'
import { dirname, normalize } from 'node:path'
import { marked, type Token } from 'marked'
import { expect, test } from 'vitest'
import { pages, read } from './page.js'

/** All tokens of a text, those within others too. */
function tokensOf(markdown: string): Token[] {
  const found: Token[] = []
  marked.walkTokens(marked.lexer(markdown), token => void found.push(token))
  return found
}

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(path: string): string[] {
  const headings = tokensOf(read(path)).flatMap(token => (token.type === 'heading' ? (token.text as string) : []))
  return headings.map(text =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The links and pictures of a page within the repository, as paths from its root. */
function linksOf(page: string): { readonly path: string; readonly anchor: string | undefined }[] {
  const hrefs = tokensOf(read(page)).flatMap(token =>
    token.type === 'link' || token.type === 'image' ? (token.href as string) : [],
  )
  return hrefs.flatMap(href => {
    if (/^[a-z]+:/.test(href)) return []
    const [file, anchor] = href.split('#') as [string, string?]
    return { path: file === '' ? page : normalize(`${dirname(page)}/${file}`), anchor }
  })
}

test.each(['CONTRIBUTING.md', ...pages])('what %s links to exists', page => {
  const missing = linksOf(page).filter(
    ({ path, anchor }) => !existsSync(path) || (anchor !== undefined && !anchorsOf(path).includes(anchor)),
  )
  expect(missing).toEqual([])
})

test('the index links to every page', () => {
  const linked = linksOf('docs/README.md').map(({ path }) => path)
  const expected = pages.filter(page => !['README.md', 'docs/README.md'].includes(page))
  expect(expected.filter(page => !linked.includes(page))).toEqual([])
})

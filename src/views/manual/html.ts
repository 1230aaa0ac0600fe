import { Marked, type RendererObject } from 'marked'
import { escapedHtml } from '../render/html.js'
import { linkedPage, type ManualPage, pagesOf, sections } from './pages.js'
import { searchManual } from './search.js'
import { callOf } from './text.js'

/** A page of the documentation as a page for the browser. */
export function pageHtml(page: ManualPage): string {
  const marked = new Marked({ gfm: true, renderer })
  return documentHtml(page.title, '', marked.parse(page.text, { async: false }))
}

/** The list of all pages, or of those that have the words of a query. */
export function pagesHtml(pages: readonly ManualPage[], query: string): string {
  const words = query.split(/\s+/).filter(word => word !== '')
  if (words.length > 0) {
    const found = searchManual(pages, words).map(({ page, heading }) => linkTo(page, heading))
    const none = `<p class="remark">No page has ${escapedHtml(words.join(' '))}.</p>`
    return documentHtml('Help', query, `<h1>Help</h1>${found.length > 0 ? list(found) : none}`)
  }
  const lists = [...sections, 'commands'].flatMap(section => {
    const links = pagesOf(pages, section).map(page => linkTo(page, ''))
    return links.length > 0 ? [`<h2>${section}</h2>${list(links)}`] : []
  })
  return documentHtml('Help', '', `<h1>Help</h1>${lists.join('')}`)
}

function documentHtml(title: string, query: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${escapedHtml(title)} · Qanat</title>
  <link rel="icon" href="/pages/icon.svg">
  <link rel="stylesheet" href="/pages/style.css">
  <header>
    <nav id="above" aria-label="Above this page"><a href="/">Qanat</a><a href="/help">Help</a></nav>
    <form action="/help"><input type="search" name="q" value="${escapedHtml(query)}" placeholder="Search the pages" aria-label="Search the pages"></form>
  </header>
  <main class="manual">${content}</main>
</html>
`
}

function list(items: readonly string[]): string {
  return `<ul>${items.map(item => `<li>${item}</li>`).join('')}</ul>`
}

function linkTo(page: ManualPage, heading: string): string {
  const beside = heading === '' || heading === page.title ? '' : `: ${escapedHtml(heading)}`
  return `<a href="${addressOf(page.topic)}">${escapedHtml(page.title)}</a>${beside} <code>${escapedHtml(callOf(page))}</code>`
}

function addressOf(topic: string): string {
  return `/help/${encodeURIComponent(topic)}`
}

const renderer: RendererObject = {
  heading({ tokens, depth, text }) {
    return `<h${depth} id="${escapedHtml(anchorOf(text))}">${this.parser.parseInline(tokens)}</h${depth}>`
  },
  link({ href, tokens }) {
    const text = this.parser.parseInline(tokens)
    if (/^(https?:|#)/.test(href)) return `<a href="${escapedHtml(href)}">${text}</a>`
    const page = linkedPage(href)
    // What else a page leads to lies beside it in the repository.
    if (page === null) return text
    return `<a href="${page.topic === null ? '/help' : addressOf(page.topic) + escapedHtml(page.anchor)}">${text}</a>`
  },
  // Pictures are not a part of the program.
  image: ({ text }) => `<em>${escapedHtml(text)}</em>`,
}

/** The name that GitHub gives a heading, which links to it have. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

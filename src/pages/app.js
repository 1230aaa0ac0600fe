/** @import { Drawn, Page } from './shapes.js' */
import { comparison } from './comparison.js'
import { ask, Problem, withQuery } from './data.js'
import { h, patchChildren } from './dom.js'
import { group } from './group.js'
import { listenToKeys } from './keys.js'
import { followLogs } from './log.js'
import { pair } from './pair.js'
import { listenToCopies, problemOf } from './parts.js'
import { plot } from './plot.js'
import { datasets, document as documentPage, documents, overview } from './registered.js'
import { run } from './run.js'
import { experiment, runs } from './runs.js'

/** Finds the page of an address, shows it, and shows it anew whenever the project changes. */

/** @type {readonly (readonly [RegExp, Page<any>])[]} */
const routes = [
  [/^\/$/, overview],
  [/^\/runs$/, runs],
  [/^\/documents$/, documents],
  [/^\/documents\/([^/]+)$/, documentPage],
  [/^\/datasets$/, datasets],
  [/^\/experiments\/([^/]+)$/, experiment],
  [/^\/experiments\/([^/]+)\/compare$/, comparison],
  [/^\/experiments\/([^/]+)\/pair$/, pair],
  [/^\/experiments\/([^/]+)\/plot$/, plot],
  [/^\/runs\/(\d+)$/, run],
  [/^\/runs\/(\d+)\/groups\/(\d+)$/, group],
]

const elementCalled = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id))
const main = elementCalled('main')
const above = elementCalled('above')
const live = elementCalled('live')
const problem = elementCalled('problem')
/** Counts what was asked for: an answer that comes late is not shown. */
let latest = 0
/** @type {any} */
let shown = null
let shownPath = ''
let isLoading = false
let isStale = false
/** When the data that are shown were asked for, and how long they are good enough, in milliseconds. */
let asked = 0
let pause = 0
let timer = 0
/** Waits until what grows is looked at again, which changes nothing in the database. */
let growing = 0
let project = 'Qanat'

/** In milliseconds. */
const growingPause = 2000

/** @param {boolean} isRefresh whether only the data may have changed */
async function show(isRefresh) {
  const ticket = ++latest
  const path = location.pathname
  const isSame = path === shownPath
  isLoading = true
  isStale = false
  clearTimeout(growing)
  asked = performance.now()
  try {
    const [page, words] = pageOf(path)
    const query = new URLSearchParams(location.search)
    pause = page.pause ?? 0
    const answers = page.load?.(words, query, isSame ? shown : null) ?? [ask(`/api${path}`, query)]
    for await (const data of answers) {
      if (ticket !== latest) return
      put(page.draw(data, words), isRefresh || path === shownPath)
      tell('page', '')
      shown = data
      shownPath = path
    }
    if (page.grows?.(shown)) growing = window.setTimeout(refresh, growingPause)
  } catch (error) {
    if (ticket !== latest) return
    const { message, hint = null } = /** @type {Problem} */ (error)
    if (path !== shownPath) put(drawProblem(message, hint), isRefresh)
    else tell('page', hint ? `${message}: ${hint}` : message)
  } finally {
    if (ticket === latest) isLoading = false
  }
  if (isStale) refresh()
}

/** @param {string} path @returns {[Page<any>, string[]]} */
function pageOf(path) {
  for (const [pattern, page] of routes) {
    const match = pattern.exec(path)
    if (match) return [page, match.slice(1).map(decodeURIComponent)]
  }
  throw new Problem('There is no such page', null)
}

/** @param {Drawn} drawn @param {boolean} isSame whether the page was there already: then its place and focus stay */
function put({ above: trail, title, content }, isSame) {
  const fresh = document.createDocumentFragment()
  fresh.append(...content.filter(node => node !== null))
  if (isSame) patchChildren(main, fresh)
  else {
    main.replaceChildren(fresh)
    scrollTo(0, history.state?.y ?? 0)
    const back = history.state?.left && main.querySelector(`a.open[href="${CSS.escape(history.state.left)}"]`)
    const heading = main.querySelector('h1')
    ;(back ?? heading)?.focus({ preventScroll: true })
  }
  const crumbs = document.createDocumentFragment()
  for (const { title: text, link } of [{ title: project, link: '/' }, ...trail]) {
    crumbs.append(h('a', { href: link }, text))
  }
  patchChildren(above, crumbs)
  document.title = title === project ? project : `${title} · ${project}`
  for (const link of document.querySelectorAll('#lists a')) {
    link.toggleAttribute('aria-current', link.getAttribute('href') === location.pathname)
  }
  followLogs(main)
}

/** @param {string} message @param {string | null} hint */
function drawProblem(message, hint) {
  const box = problemOf(message, hint)
  const { pathname, search } = location
  if (search !== '') box.append(h('p', {}, h('a', { href: pathname }, 'Show it without these choices')))
  const [link, title] = /^\/experiments\/([^/]+)(?=\/.)/.exec(pathname) ?? []
  const content = [h('h1', { tabindex: -1 }, 'This cannot be shown'), box]
  return { above: link && title ? [{ title, link }] : [], title: 'Problem', content }
}

/** What is wrong, as the last refresh of the page and as the server says. */
const problems = { page: '', server: '' }

/** @param {'page' | 'server'} source @param {string} text empty for nothing */
function tell(source, text) {
  problems[source] = text
  const texts = [...new Set(Object.values(problems))].filter(each => each !== '')
  problem.textContent = texts.join('; ')
  problem.hidden = texts.length === 0
}

/** @param {string} address */
function go(address) {
  const { pathname } = new URL(address, location.href)
  if (pathname !== location.pathname) shown = null
  history.replaceState({ y: scrollY, left: pathname }, '')
  history.pushState(null, '', address)
  void show(false)
}

/** Loads the data of the page anew, unless they are being loaded, or nobody looks. */
function refresh() {
  isStale = true
  const left = asked + pause - performance.now()
  if (isLoading || document.hidden) return
  if (left <= 0) return void show(true)
  if (timer === 0) timer = window.setTimeout(later, left)
}

function later() {
  timer = 0
  if (isStale && !isLoading) void show(true)
}

function listenToChanges() {
  /** @type {EventSource | null} */
  let source = null
  const connect = () => {
    source = new EventSource('/api/changes')
    source.onopen = () => say('live')
    source.addEventListener('change', refresh)
    source.addEventListener('project', event => {
      project = event.data
      const top = above.querySelector('a')
      if (top) top.textContent = project
    })
    source.addEventListener('problem', event => tell('server', event.data))
    source.onerror = () => {
      say(source?.readyState === EventSource.CLOSED ? 'ended' : 'connecting')
      tell('server', 'The server of these pages does not answer. If it has ended, type: qanat view')
    }
  }
  // A browser keeps only six connections to a server, for all of its windows.
  document.addEventListener('visibilitychange', () => {
    source?.close()
    if (document.hidden) return
    connect()
    refresh()
  })
  connect()
}

/** @param {string} state */
function say(state) {
  live.textContent = state
  live.className = state
}

document.addEventListener('click', event => {
  const target = /** @type {HTMLElement} */ (event.target)
  const link = target.closest('a')
  const href = link?.getAttribute('href')
  if (!href?.startsWith('/') || link?.rel || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey)
    return
  event.preventDefault()
  // What was chosen since the page was drawn stays chosen.
  const changes = link?.dataset.changes
  go(changes ? withQuery(JSON.parse(changes)) : href)
})

document.addEventListener('submit', event => {
  event.preventDefault()
  filter(/** @type {HTMLFormElement} */ (event.target))
})
// The cross in the field empties it.
document.addEventListener('search', event => filter(/** @type {HTMLInputElement} */ (event.target).form))

/** @param {HTMLFormElement | null} form */
function filter(form) {
  const texts = [...new FormData(form ?? undefined)].map(([name, text]) => [name, String(text).trim()])
  const address = withQuery({ ...Object.fromEntries(texts), offset: null })
  if (address !== location.pathname + location.search) go(address)
}

document.addEventListener('change', event => {
  const { name, value, nodeName } = /** @type {HTMLSelectElement} */ (event.target)
  if (nodeName === 'SELECT') go(withQuery({ [name]: value }))
})

addEventListener('popstate', () => void show(false))
listenToKeys(go)
listenToCopies()
// The token is in a cookie by now: it need not stay in the address and in the history.
history.replaceState(history.state, '', withQuery({ token: null }))
listenToChanges()
void show(false)

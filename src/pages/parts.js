/** @import { Counts, Fact, FailureKind } from './shapes.js' */
import { experimentLink, withQuery } from './data.js'
import { h } from './dom.js'

// Parts of several pages.

/** In the order in which they are shown. */
const states = ['finished', 'running', 'pending', 'held', 'failed', 'lost', 'cancelled']

/** @param {number} value */
export function counted(value) {
  return value.toLocaleString('en')
}

/** States of what a document needs, which look like states of groups. @type {Partial<Record<string, string>>} */
const like = { 'up to date': 'finished', stale: 'pending', missing: 'failed' }

/** A state: a mark in its colour, and its word. @param {string} state */
export function stateMark(state) {
  return h('span', { class: `state ${like[state] ?? (states.includes(state) ? state : '')}` }, state)
}

/** @param {Counts} counts */
function totalOf(counts) {
  return Object.values(counts).reduce((/** @type {number} */ sum, count) => sum + (count ?? 0), 0)
}

/** How many of all are in each state, as a bar; the text beside it says the same. @param {Counts} counts */
export function bar(counts) {
  const total = totalOf(counts)
  let x = 0
  const pieces = states.map(state => {
    const width = total === 0 ? 0 : (100 * (counts[state] ?? 0)) / total
    x += width
    return width === 0 ? null : h('rect', { class: state, x: x - width, y: 0, width, height: 6 })
  })
  const shape = { class: 'bar', viewBox: '0 0 100 6', preserveAspectRatio: 'none', 'aria-hidden': 'true' }
  return h('svg', shape, pieces)
}

/** A command that gives the same in a terminal. @param {string} text */
export function command(text) {
  const button = h('button', { type: 'button', 'data-copy': text, 'aria-label': `Copy: ${text}` }, 'Copy')
  return h('div', { class: 'command' }, h('code', {}, text), button)
}

/** @param {string} text */
export function remark(text) {
  return h('p', { class: 'remark' }, text)
}

/** Lets the buttons beside commands copy them. */
export function listenToCopies() {
  document.addEventListener('click', async event => {
    const button = /** @type {HTMLElement} */ (event.target).closest('[data-copy]')
    const text = button?.getAttribute('data-copy')
    if (!button || !text) return
    await navigator.clipboard.writeText(text).catch(() => {})
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 1500)
  })
}

/** What is known, under its titles. @param {readonly Fact[]} facts */
export function factList(facts) {
  const rows = facts.map(({ title, text }) => h('div', {}, h('dt', {}, title), h('dd', {}, text)))
  return h('dl', { class: 'facts' }, rows)
}

/** Facts under a heading, if there are any. @param {string} title @param {readonly Fact[]} facts */
export function titled(title, facts) {
  return facts.length > 0 ? [h('h3', {}, title), factList(facts)] : []
}

/** Links that show only what is in one state. @param {Counts} counts @param {string} what such as `runs` */
export function stateFilter(counts, what) {
  const chosen = new URLSearchParams(location.search).get('status')
  const present = states.filter(state => (counts[state] ?? 0) > 0 || state === chosen)
  const chip = (/** @type {string | null} */ state, /** @type {number} */ count) =>
    h(
      'a',
      { class: 'chip', href: withQuery({ status: state, offset: null }), 'aria-current': state === chosen && 'true' },
      state === null ? `All ${what}` : stateMark(state),
      h('span', { class: 'count' }, counted(count)),
    )
  const chips = [chip(null, totalOf(counts)), ...present.map(state => chip(state, counts[state] ?? 0))]
  return h('nav', { class: 'chips', 'aria-label': `States of ${what}` }, chips)
}

/** What to type where there is nothing to show yet. @param {string} text @param {string} [typed] */
export function empty(text, typed) {
  return h('div', { class: 'empty' }, h('p', {}, text), typed ? command(typed) : null)
}

/** That a filter leaves nothing of a list. @param {string} noun what is listed */
export function noneFit(noun) {
  const all = h('a', { href: withQuery({ status: null, filter: null, where: null, offset: null }) }, 'Show all')
  return h('div', { class: 'empty' }, h('p', {}, `No ${noun} fits. `, all))
}

/** Why something cannot be shown, and what to do. @param {string} message @param {string | null} hint */
export function problemOf(message, hint) {
  // A hint is often a command, and then what it does.
  const [, typed, then] = /^(qanat .+?)(?: {2,}(.*))?$/.exec(hint ?? '') ?? []
  const remark = typed === undefined ? hint : then && `The command below ${then}`
  const texts = [message, remark].flatMap(text => (text ? `${text[0]?.toUpperCase()}${text.slice(1)}.` : []))
  return empty(texts.join(' '), typed)
}

/**
 * A part of a page under a heading.
 * @param {string} key
 * @param {string | null} title
 * @param {(Node | null)[]} children
 */
export function section(key, title, ...children) {
  return h('section', { 'data-key': key }, title === null ? null : h('h2', {}, title), ...children)
}

/** Failures by kind, with what to type next. @param {readonly FailureKind[]} kinds */
export function failureList(kinds) {
  const nothing = '(nothing on stderr)'
  const rows = kinds.map(({ label, line, lines, count, groups, next }) => {
    const examples = groups.flatMap(({ title, link }) => [link ? h('a', { href: link }, title) : title, ' '])
    return h(
      'li',
      {},
      h('p', {}, h('b', {}, `${counted(count)} × ${label}`), ' ', lines ? '' : h('code', {}, line ?? nothing)),
      lines ? h('pre', { class: 'log' }, lines.join('\n') || nothing) : null,
      h('p', { class: 'examples' }, examples, count > groups.length ? '…' : ''),
      command(next),
    )
  })
  return h('ul', { class: 'failures' }, rows)
}

/** The pages of an experiment. @param {string} name @param {string} chosen */
export function tabs(name, chosen) {
  const link = experimentLink(name)
  const tab = (/** @type {string} */ title, /** @type {string} */ href) =>
    h('a', { href, 'aria-current': title === chosen && 'page' }, title)
  const pages = [tab('Comparison', `${link}/compare`), tab('Runs', link), tab('Plot', `${link}/plot`)]
  return h('nav', { class: 'tabs', 'aria-label': name }, pages)
}

/** Links that choose some of several things. @param {string} title @param {Node[]} toggles */
export function choice(title, toggles) {
  if (toggles.length === 0) return null
  return h('div', { class: 'chips', role: 'group', 'aria-label': title }, h('span', { class: 'of' }, title), toggles)
}

/** @param {string} title @param {boolean} isOn @param {Record<string, string | null>} changes of the query */
export function toggle(title, isOn, changes) {
  const label = `${title}, ${isOn ? 'chosen' : 'not chosen'}`
  const all = { ...changes, offset: null }
  const mark = { 'aria-current': isOn && 'true', 'aria-label': label, 'data-changes': JSON.stringify(all) }
  return h('a', { class: 'chip', href: withQuery(all), ...mark }, title)
}

/**
 * A list of which one thing is chosen; its value is in the query.
 * @param {string} name in the query
 * @param {string} title
 * @param {readonly string[]} values
 * @param {string | null} chosen
 * @param {string} [none] what stands for no choice
 */
export function select(name, title, values, chosen, none) {
  const all = [...(none === undefined ? [] : ['']), ...values]
  const known = chosen === null || all.includes(chosen) ? all : [...all, chosen]
  const options = known.map(value => {
    const isChosen = value === (chosen ?? '')
    return h('option', { value, selected: isChosen }, value === '' ? `${none}` : value)
  })
  const list = h('select', { name, 'aria-label': title }, options)
  return h('label', { class: 'select' }, h('span', { class: 'of' }, title), list)
}

/**
 * A field that narrows what is shown; its text is in the query.
 * @param {string} name in the query
 * @param {string} label
 * @param {string} placeholder
 */
export function field(name, label, placeholder) {
  const value = new URLSearchParams(location.search).get(name) ?? ''
  const plain = { autocomplete: 'off', spellcheck: 'false' }
  const input = h('input', { type: 'search', name, value, placeholder, 'aria-label': label, ...plain })
  return h('form', { class: 'filter', role: 'search' }, input)
}

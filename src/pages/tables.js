/** @import { PageTable } from './shapes.js' */
import { h, patchChildren } from './dom.js'
import { counted, listenToCopies } from './parts.js'
import { pager, shownRows, tableOf } from './table.js'

// Runs in the file of a report: its tables are sorted, filtered and shown in parts on the spot.

/** Shorter tables have no filter. */
const leastFiltered = 10

/** @type {Record<string, PageTable>} */
const tables = JSON.parse(/** @type {HTMLElement} */ (document.getElementById('tables')).textContent ?? '')
for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-table]'))) {
  makeLive(place, /** @type {PageTable} */ (tables[place.dataset.table ?? '']))
}
listenToCopies()

/** @param {HTMLElement} place @param {PageTable} table */
function makeLive(place, { columns, rows }) {
  /** @type {string | null} */
  let order = null
  let [found, first] = [rows, 0]
  const draw = () => {
    const sorting = { keys: columns.map(({ key }) => key), chosen: order, choice: sortButton }
    const part = { first, count: shownRows, total: found.length }
    const shown = (order === null ? found : sorted(found, order)).slice(first, first + shownRows)
    const fresh = document.createDocumentFragment()
    fresh.append(tableOf({ columns, rows: shown }, sorting), pager(part, offsetButton) ?? '')
    patchChildren(place, fresh)
  }
  /** @param {PageTable['rows']} all @param {string} by */
  const sorted = (all, by) => {
    const at = columns.findIndex(({ key }) => [key, `-${key}`].includes(by))
    const { key = '' } = columns[at] ?? {}
    return ordered(all, row => numberOf(row.details?.[key]) ?? row.cells[at] ?? '', by !== key)
  }
  place.addEventListener('click', event => {
    const { sort, offset } = /** @type {HTMLElement} */ (event.target).dataset
    if (sort === undefined && offset === undefined) return
    if (sort !== undefined) order = sort || null
    first = Number(offset ?? 0)
    draw()
  })
  const filter = (/** @type {PageTable['rows']} */ chosen) => {
    ;[found, first] = [chosen, 0]
    draw()
  }
  if (rows.length >= leastFiltered) place.before(filterOf(`${place.dataset.table}`, rows, filter))
  draw()
}

/**
 * A field that keeps the rows with all words that are typed into it.
 * @param {string} name of the table
 * @param {PageTable['rows']} rows
 * @param {(found: PageTable['rows']) => void} change
 */
function filterOf(name, rows, change) {
  const label = `Filter ${name}: words that a row contains`
  const field = h('input', { type: 'search', placeholder: label, 'aria-label': label })
  const input = /** @type {HTMLInputElement} */ (field)
  const count = h('output')
  /** @type {string[]} */
  let texts = []
  input.addEventListener('input', () => {
    if (texts.length === 0) texts = rows.map(({ cells }) => cells.join(' ').toLowerCase())
    const words = input.value.toLowerCase().split(/\s+/)
    const found = rows.filter((_, at) => words.every(word => texts[at]?.includes(word)))
    count.textContent = `${counted(found.length)} of ${counted(rows.length)}`
    change(found)
  })
  return h('div', { class: 'tools' }, count, h('div', { class: 'filter' }, input))
}

/** NaN comes behind all numbers in both orders, and then what is unknown. @param {string} text */
function rankOf(text) {
  return text === '' || text === '–' ? 2 : text === 'NaN' ? 1 : 0
}

/**
 * @param {PageTable['rows']} rows
 * @param {(row: PageTable['rows'][number]) => string} textOf
 * @param {boolean} isReverse
 */
function ordered(rows, textOf, isReverse) {
  const keyed = rows.map(row => ({ row, text: textOf(row), rank: rankOf(textOf(row)) }))
  const areNumbers = keyed.every(({ text, rank }) => rank > 0 || !Number.isNaN(Number(text)))
  const { compare } = new Intl.Collator('en', { numeric: true })
  const compared = areNumbers
    ? (/** @type {string} */ one, /** @type {string} */ other) => Number(one) - Number(other)
    : compare
  const sign = isReverse ? -1 : 1
  keyed.sort((one, other) => one.rank - other.rank || (one.rank > 0 ? 0 : sign * compared(one.text, other.text)))
  return keyed.map(({ row }) => row)
}

/** The number behind a cell, as text; null if there is none. @param {unknown} details */
function numberOf(details) {
  if (typeof details === 'number') return String(details)
  const isMean = details !== null && typeof details === 'object' && 'mean' in details
  return isMean ? String(details.mean) : null
}

/** @param {string | null} next @param {string} title */
function sortButton(next, title) {
  return h('button', { type: 'button', 'data-sort': next ?? '' }, title)
}

/** @param {string} _ @param {string} title @param {number} offset */
function offsetButton(_, title, offset) {
  return h('button', { type: 'button', 'data-offset': offset }, title)
}

/** @import { Counts, PageTable } from './shapes.js' */
import { chosenGroup, experimentLink, withChosen, withQuery } from './data.js'
import { h } from './dom.js'
import { bar, counted, stateMark } from './parts.js'

/** Cells of columns that are read from the right: numbers and times. */
const numeric = /^((-?\d[\d,.]*(e[+-]\d+)?|NaN|-?Infinity)( ± \S+| \[.*\])?( \(\d+\))?|–|[\d.]+ s|\d+-?[\d:]+|)$/

/** Longer texts may be cut; then the whole text is shown under the pointer. */
const longest = 28

/** Rows of a table in a file that are shown at once. */
export const shownRows = 500

/** Columns that need no heading to be understood. */
const own = [
  ...['name', 'experiment', 'status', 'cause', 'states', 'progress', 'last', 'tags', 'description', 'runner'],
  ...['launched', 'started', 'duration_s', 'time', 'remark', 'parameters', 'commit'],
]

/**
 * How a table can be sorted: by which columns, by which it is sorted, as in `-acc`, and what chooses another order; null
 * is the order in which the list comes.
 * @typedef {{ keys: readonly string[], chosen: string | null, choice(next: string | null, title: string): Node }} Sorting
 */

/** @type {Sorting} */
const unsorted = { keys: [], chosen: null, choice: () => h('span') }

/** The order is in the address, and the server sorts. @param {readonly string[]} keys @returns {Sorting} */
export function sortedByAddress(keys) {
  return {
    keys,
    chosen: new URLSearchParams(location.search).get('sort'),
    choice(sort, title) {
      const changes = { sort, offset: null }
      return h('a', { href: withQuery(changes), 'data-changes': JSON.stringify(changes) }, title)
    },
  }
}

/**
 * A table whose rows are links, if they lead anywhere.
 * @param {PageTable} table
 * @param {Sorting} sorting
 * @param {string | null} experiment of which groups can be chosen to be compared; null for none
 */
export function tableOf({ columns, rows }, sorting = unsorted, experiment = null) {
  const hasGroups = experiment !== null && rows.some(({ group }) => group)
  const isNumeric = columns.map((_, at) => {
    const cells = rows.map(row => row.cells[at] ?? '')
    return cells.some(cell => cell !== '') && cells.every(cell => cell.length < longest && numeric.test(cell))
  })
  const side = (/** @type {number} */ at) => (at > 0 && isNumeric[at] ? 'number' : null)
  const headings = columns.map(({ key, title }, at) => {
    const shown = sorting.keys.includes(key) ? sorting.choice(nextOrder(key, sorting), title) : title
    return h('th', { scope: 'col', class: side(at), 'aria-sort': orderOf(key, sorting) }, shown)
  })
  const links = rows.map(({ link }) => link)
  // Rows may lead to the same page.
  const keyOf = (/** @type {string} */ link, /** @type {number} */ line) =>
    links.indexOf(link) < line ? `${link} ${line}` : link
  const lines = rows.map((row, line) =>
    h(
      'tr',
      { 'data-key': row.link && keyOf(row.link, line), class: row.isBest && 'best' },
      row.cells.map((cell, at) => {
        const { key, title } = /** @type {{ key: string, title: string }} */ (columns[at])
        const look = {
          class: [side(at), own.includes(key) ? `column-${key}` : 'column-value'].join(' ').trim(),
          'data-title': title,
          title: inFull(row.details?.[key], cell) ?? (cell.length > longest ? cell : null),
        }
        if (at > 0 || !row.link) return h('td', look, cellOf(key, cell, row.counts))
        return h('td', look, h('a', { class: 'open', href: withChosen(row.link) }, cell))
      }),
      hasGroups ? h('td', { class: 'pick' }, row.group ? pick(experiment, row.group) : '') : null,
    ),
  )
  if (hasGroups) headings.push(h('th', { class: 'pick' }))
  return h('div', { class: 'scroll' }, h('table', {}, h('thead', {}, h('tr', {}, headings)), h('tbody', {}, lines)))
}

/** @param {string} key @param {string} cell @param {Counts | undefined} counts */
function cellOf(key, cell, counts) {
  if (key === 'status') return stateMark(cell)
  if (key === 'parameters') {
    // A line does not end within one of them.
    const each = cell.split(/ (?=-)/).flatMap(text => [h('span', {}, text), ' '])
    return h('span', { class: 'lines' }, each)
  }
  if (counts && (key === 'progress' || key === 'states')) return [bar(counts), h('span', {}, cell)]
  return cell
}

/**
 * Chooses a group: the second one that is chosen stands beside the first one.
 * @param {string} experiment
 * @param {string} group
 */
function pick(experiment, group) {
  const chosen = chosenGroup()
  const pair = `${experimentLink(experiment)}/pair?groups=${chosen},${group}`
  const [href, label] =
    chosen === null
      ? [withQuery({ beside: group }), `Compare group ${group} with another`]
      : chosen === group
        ? [withQuery({ beside: null }), `Do not compare group ${group}`]
        : [pair, `Compare group ${chosen} with ${group}`]
  return h('a', { href, title: label, 'aria-label': label, 'aria-current': chosen === group && 'true' })
}

/** Which group was chosen first. @param {string} more where others are */
export function chosenRemark(more) {
  const chosen = chosenGroup()
  if (chosen === null) return null
  const text = `Group ${chosen} is chosen. Choose another one at the end of its row${more}. `
  return h('p', { class: 'chosen' }, text, h('a', { href: withQuery({ beside: null }) }, 'Choose none'))
}

/** The numbers behind a cell, unless it shows the only one as it was typed. @param {unknown} details @param {string} cell */
function inFull(details, cell) {
  if (typeof details === 'number') return Number(cell) === details ? null : String(details)
  if (details === null || typeof details !== 'object' || Array.isArray(details)) return null
  const parts = Object.entries(details).filter(([, value]) => value !== null)
  return parts.map(([name, value]) => `${name} ${[value].flat().join(' to ')}`).join(', ')
}

/** @param {string} key @param {Sorting} sorting */
function orderOf(key, { chosen }) {
  return chosen === key ? 'ascending' : chosen === `-${key}` ? 'descending' : null
}

/** Largest first, then smallest first, then as the list comes. @param {string} key @param {Sorting} sorting */
function nextOrder(key, { chosen }) {
  return chosen === `-${key}` ? key : chosen === key ? null : `-${key}`
}

/**
 * Which rows are shown, with what leads to those before and after.
 * @param {{ first: number, count: number, total: number }} part
 * @param {(rel: string, title: string, offset: number) => Node} to
 */
export function pager({ first, count, total }, to = offsetLink) {
  if (total <= count && first === 0) return null
  const link = (/** @type {string} */ rel, /** @type {string} */ title, /** @type {number} */ offset) =>
    offset < 0 || offset >= total ? h('span', { class: 'off' }, title) : to(rel, title, offset)
  const shown = `${counted(Math.min(first + 1, total))}–${counted(Math.min(first + count, total))}`
  return h(
    'nav',
    { class: 'pager', 'aria-label': 'Parts of the list' },
    link('prev', 'Previous', first === 0 ? -1 : Math.max(0, first - count)),
    h('span', {}, `${shown} of ${counted(total)}`),
    link('next', 'Next', first + count),
  )
}

/** @param {string} rel @param {string} title @param {number} offset */
function offsetLink(rel, title, offset) {
  return h('a', { rel, href: withQuery({ offset }) }, title)
}

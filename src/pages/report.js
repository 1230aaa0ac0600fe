/** @import { Report } from './shapes.js' */
import { h } from './dom.js'
import { counted, factList, failureList, remark } from './parts.js'
import { shownRows, tableOf } from './table.js'

/**
 * A report on runs, as it can be read where no script runs.
 * @param {Report} data
 * @param {number} listed how many groups are in the file
 */
export function drawReport(data, listed) {
  const { experiment, total, description, headline, parameters, failures, provenance } = data
  /** @type {Record<string, (Node | string | null)[]>} */
  const sections = {
    Runs: [placeOf('runs', data.tables)],
    Parameters: [parameters.length > 0 ? factList(parameters) : remark('The groups have no parameters.')],
    Comparison: [
      remark('Mean ± sample standard deviation (number of groups).'),
      placeOf('comparison', data.tables),
      ...data.remarks.map(remark),
    ],
    Plots:
      data.plots.length > 0
        ? [h('div', { class: 'plots' }, data.plots.map(figure))]
        : [remark('There is nothing to draw.')],
    Failures: [
      remark(failures.text),
      failures.kinds.length > 0 ? failureList(failures.kinds) : null,
      failures.more === '' ? null : remark(failures.more),
    ],
    Provenance: [factList(provenance)],
    Groups: [
      total > listed
        ? remark(`${total - listed} more groups are left out here: qanat collect ${experiment} -o groups.csv`)
        : null,
      placeOf('groups', data.tables, listed),
    ],
  }
  const links = Object.keys(sections).map(name => h('a', { href: `#${name}` }, name))
  return [
    h('h1', {}, experiment),
    description === '' ? null : h('p', { class: 'lead' }, description),
    remark(headline),
    h('nav', { class: 'tabs', 'aria-label': 'Parts of the report' }, links),
    ...Object.entries(sections).map(([name, content]) => h('section', {}, h('h2', { id: name }, name), ...content)),
  ]
}

/**
 * The beginning of a table, which a script replaces by one that can be sorted and filtered, see tables.js.
 * @param {keyof Report['tables']} name
 * @param {Report['tables']} tables
 * @param {number} total how many rows are in the file
 */
function placeOf(name, { [name]: { columns, rows } }, total = rows.length) {
  const more = total - shownRows
  return h(
    'div',
    { 'data-table': name },
    tableOf({ columns, rows: rows.slice(0, shownRows) }),
    more > 0 ? remark(`${counted(more)} more rows are in this file; a browser with JavaScript shows them.`) : null,
  )
}

/** In a picture no script runs. @param {Report['plots'][number]} plot */
function figure({ picture, text, notes, command }) {
  const caption = [...notes.map(note => `${note} · `), h('code', {}, command)]
  return h('figure', {}, h('img', { src: picture, alt: text }), h('figcaption', {}, caption))
}

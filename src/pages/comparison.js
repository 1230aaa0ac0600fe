/** @import { Comparison, Page } from './shapes.js' */
import { experimentLink } from './data.js'
import { h } from './dom.js'
import { choice, command, empty, field, remark, tabs, toggle } from './parts.js'
import { chosenRemark, pager, sortedByAddress, tableOf } from './table.js'

/** A comparison of the groups of an experiment. @type {Page<Comparison>} */
export const comparison = {
  // All groups of the experiment are read for it.
  pause: 5000,
  grows: ({ grows }) => grows,
  draw(data, [name = '']) {
    const { headline, table, sortable, remarks, command: typed } = data
    return {
      above: [{ title: name, link: experimentLink(name) }],
      title: 'Comparison',
      content: [
        h('h1', { tabindex: -1 }, name),
        tabs(name, 'Comparison'),
        h('p', { class: 'lead' }, headline),
        choices(data),
        chosenRemark(''),
        table.rows.length > 0
          ? tableOf(table, sortedByAddress(sortable), name)
          : empty('No group has finished yet.', `qanat failures ${name}`),
        pager(data),
        ...remarks.map(remark),
        data.metrics.length + data.otherMetrics.length > 0 ? null : remark(noMetrics),
        command(typed),
      ],
    }
  },
}

const noMetrics =
  'A script leaves metrics by writing a file metrics.json, as in {"acc": 0.97}, to the folder after --storage_path.'

/** @param {Comparison} data */
function choices({ by, varying, onlyAsked, metrics, otherMetrics, hasRepeats }) {
  const query = new URLSearchParams(location.search)
  const [isInterval, isRepeated] = [query.has('ci'), query.has('repeats')]
  const rows = varying.map(name => {
    const isRow = by.includes(name)
    const chosen = isRow ? by.filter(each => each !== name) : [...by, name]
    const isAsked = chosen.some(each => onlyAsked.includes(each))
    const over = varying.filter(each => !chosen.includes(each) && !onlyAsked.includes(each))
    return toggle(name, isRow, { over: over.join(','), by: isAsked ? chosen.join(',') : null, sort: null })
  })
  const columns = [...metrics, ...otherMetrics].map(name => {
    const isShown = metrics.includes(name)
    const shown = isShown ? metrics.filter(each => each !== name) : [...metrics, name]
    return toggle(name, isShown, { metrics: shown.join(','), sort: null })
  })
  const values = [toggle('95 % interval', isInterval, { ci: isInterval ? null : '1' })]
  if (hasRepeats || isRepeated)
    values.push(toggle('average repeated groups', isRepeated, { repeats: isRepeated ? null : '1' }))
  return h(
    'div',
    { class: 'choices' },
    ...[choice('A row for each value of', rows), choice('Metrics', columns), choice('Values', values)],
    field('runs', 'Runs, as in 4 7-9', 'all runs'),
  )
}

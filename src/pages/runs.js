/** @import { Page, Runs } from './shapes.js' */
import { h } from './dom.js'
import { command, empty, factList, field, noneFit, remark, stateFilter, tabs } from './parts.js'
import { chosenRemark, pager, sortedByAddress, tableOf } from './table.js'

/** What groups that run leave is read at each look, where something of it is shown. @param {Runs} data */
const grows = ({ counts, metrics }) => metrics.length > 0 && (counts.running ?? 0) > 0

const sortable = ['id', 'launched', 'duration_s', 'progress']

/** All runs. @type {Page<Runs>} */
export const runs = {
  grows,
  draw(data) {
    const heading = h('h1', { tabindex: -1 }, 'Runs')
    return { above: [], title: 'Runs', content: [heading, ...listOf(data, null)] }
  },
}

/** An experiment and its runs. @type {Page<Runs>} */
export const experiment = {
  grows,
  draw(data, [name = '']) {
    return {
      above: [],
      title: name,
      content: [
        h('h1', { tabindex: -1 }, name),
        data.description ? h('p', { class: 'lead' }, data.description) : null,
        factList(data.facts ?? []),
        tabs(name, 'Runs'),
        ...listOf(data, name),
      ],
    }
  },
}

/** @param {Runs} data @param {string | null} name of the experiment; null if they are of several */
function listOf(data, name) {
  const isFiltered = location.search !== ''
  if (data.table.rows.length === 0 && !isFiltered) {
    return [empty('No runs yet. To launch one, type', `qanat run ${name ?? 'NAME'} …`)]
  }
  return [
    h(
      'div',
      { class: 'tools' },
      stateFilter(data.counts, 'runs'),
      field('filter', 'Filter runs by tag, commit, age or parameter', 'tag:baseline since:3d --lr:0.1'),
      data.metrics.length > 0 ? field('where', 'Filter runs by their best metrics', `${data.metrics[0]} > 0.9`) : null,
    ),
    name === null ? null : chosenRemark(', here or in a run'),
    data.table.rows.length > 0
      ? tableOf(data.table, sortedByAddress([...sortable, ...data.metrics]), name)
      : noneFit('run'),
    pager(data),
    ...data.remarks.map(remark),
    command(data.command),
  ]
}

/** @import { Curve } from './plot.js' */
/** @import { Failures, Page, Run } from './shapes.js' */

import { ask, experimentLink, withChosen } from './data.js'
import { h } from './dom.js'
import {
  bar,
  command,
  counted,
  factList,
  failureList,
  field,
  noneFit,
  section,
  stateFilter,
  stateMark,
  titled,
} from './parts.js'
import { askedCurves, curvesOf } from './plot.js'
import { chosenRemark, pager, sortedByAddress, tableOf } from './table.js'

const shownValues = 12

/** A run. @type {Page<{ run: Run, failures: Failures | null, curves: readonly Curve[] }>} */
export const run = {
  grows: ({ run: { counts } }) => counts.running > 0,
  async *load([id], query, before) {
    const data = /** @type {Run} */ (await ask(`/api/runs/${id}`, query))
    let shown = { run: data, failures: before?.failures ?? null, curves: before?.curves ?? [] }
    yield shown
    const { failed, lost, cancelled } = data.counts
    if (failed + lost + cancelled > 0) {
      shown = { ...shown, failures: await ask(`/api/runs/${id}/failures`) }
      yield shown
    }
    const { curve } = data.list
    if (curve !== null) yield { ...shown, curves: await askedCurves(data.experiment, `${id}`, [curve]) }
  },
  draw({ run: data, failures, curves }) {
    const { id, experiment, list } = data
    const title = `Run ${id}`
    const facts = data.facts.filter(fact => !['Status', 'Description', 'Warning'].includes(fact.title))
    return {
      above: [{ title: experiment, link: withChosen(experimentLink(experiment)) }],
      title,
      content: [
        h('h1', { tabindex: -1 }, title, stateMark(data.status)),
        data.description === '' ? null : h('p', { class: 'lead' }, data.description),
        h('div', { class: 'progress' }, bar(data.counts), h('span', {}, progressText(data))),
        h('div', { class: 'columns' }, factList(facts), parametersOf(data)),
        ...data.facts.filter(({ title }) => title === 'Warning').map(({ text }) => h('p', { class: 'warning' }, text)),
        data.comment ? section('comment', 'Comment', h('pre', { class: 'comment' }, data.comment)) : null,
        failures ? failuresOf(failures) : null,
        curvesOf(experiment, curves),
        section(
          'groups',
          'Groups',
          h('div', { class: 'tools' }, stateFilter(data.counts, 'groups'), ...filtersOf(data)),
          chosenRemark(`, here or in another run of ${experiment}`),
          list.table.rows.length > 0
            ? tableOf(list.table, sortedByAddress(list.sortable), experiment)
            : noneFit('group'),
          pager(list),
          command(data.command),
        ),
      ],
    }
  },
}

/** @param {Run} data */
function filtersOf({ total, varying, list: { metrics } }) {
  if (total === 1) return []
  const example = varying.slice(0, 1).map(({ name, values }) => `${name}:${values[0]} `)
  return [
    field('filter', 'Filter groups by parameter, cause or host', `${example}cause:oom`),
    // Always there: which metrics there are may become known while somebody types.
    field('where', 'Filter groups by their metrics', `${metrics[0] ?? 'acc'} > 0.9`),
  ]
}

/** @param {Run} data */
function progressText({ counts, total, over }) {
  const ended = counts.finished + counts.failed + counts.lost + counts.cancelled
  const left = over ? '' : `, ${counted(total - ended)} to go`
  return `${counted(counts.finished)} of ${counted(total)} ${total === 1 ? 'group has' : 'groups have'} finished${left}`
}

/** @param {Run} data */
function parametersOf({ varying, constants }) {
  if (varying.length + constants.length === 0) return null
  const varied = varying.map(({ name, values }) => {
    const more = values.length - shownValues
    const text = values.slice(0, shownValues).map(value => (value === '' ? '✓' : value))
    return { title: name, text: text.join('  ') + (more > 0 ? `  and ${counted(more)} more` : '') }
  })
  return h(
    'div',
    { 'data-key': 'parameters' },
    ...titled('Parameters that vary', varied),
    ...titled(varied.length > 0 ? 'The same for all groups' : 'Parameters', constants),
  )
}

/** @param {Failures} failures */
function failuresOf({ failed, total, kinds, command: typed }) {
  const title = `${counted(failed)} of ${counted(total)} groups did not finish`
  return section('failures', title, failureList(kinds), command(typed))
}

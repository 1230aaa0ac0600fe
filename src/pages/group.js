/** @import { Curve } from './plot.js' */
/** @import { Group, Page } from './shapes.js' */

import { ask, experimentLink } from './data.js'
import { h } from './dom.js'
import { command, factList, section, stateMark, titled } from './parts.js'
import { askedCurves, curvesOf } from './plot.js'

/** A group of a run. @type {Page<{ group: Group, curves: readonly Curve[] }>} */
export const group = {
  grows: ({ group: { status } }) => status === 'running',
  async *load([run, index], _, before) {
    const data = /** @type {Group} */ (await ask(`/api/runs/${run}/groups/${index}`))
    yield { group: data, curves: before?.curves ?? [] }
    if (data.curves.length > 0)
      yield { group: data, curves: await askedCurves(data.experiment, `${run}.${index}`, data.curves) }
  },
  draw({ group: data, curves }) {
    const { run, index, experiment, groups, commands } = data
    const title = `Group ${index}`
    const place = `/runs/${run}/groups`
    const beside = (/** @type {string} */ rel, /** @type {number} */ at, /** @type {string} */ text) =>
      at < 0 || at >= groups ? h('span', { class: 'off' }, text) : h('a', { rel, href: `${place}/${at}` }, text)
    const others = [
      beside('prev', index - 1, 'Previous'),
      h('span', {}, `${index + 1} of ${groups}`),
      beside('next', index + 1, 'Next'),
    ]
    const came = [...titled('Parameters', data.parameters), ...titled('Metrics', data.metrics)]
    return {
      above: [
        { title: experiment, link: experimentLink(experiment) },
        { title: `Run ${run}`, link: `/runs/${run}` },
      ],
      title,
      content: [
        h('h1', { tabindex: -1 }, title, stateMark(data.status)),
        groups > 1 ? h('nav', { class: 'pager', 'aria-label': 'Groups beside this one' }, others) : null,
        h('div', { class: 'columns' }, factList(data.facts), h('div', {}, came)),
        ['finished', 'running'].includes(data.status) ? null : command(commands.why),
        curvesOf(experiment, curves),
        log(data, 'stdout', 'Output'),
        log(data, 'stderr', 'Errors'),
        section('program', 'What ran', command(data.program)),
      ],
    }
  },
}

/** @param {Group} data @param {'stdout' | 'stderr'} stream @param {string} title */
function log({ run, index, over, commands }, stream, title) {
  const pane = h('pre', {
    ...{ class: 'log', tabindex: 0, 'data-keep': true, 'data-over': String(over), 'aria-label': title },
    'data-log': `/api/runs/${run}/groups/${index}/${stream}`,
  })
  return section(`${stream} ${index}`, title, pane, command(commands[stream]))
}

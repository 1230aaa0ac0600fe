/** @import { Fact, Group, Page } from './shapes.js' */
import { ask } from './data.js'
import { h } from './dom.js'
import { command, factList, section, stateMark } from './parts.js'

/** A group of a run. @type {Page<Group>} */
export const group = {
  async *load([run, index]) {
    yield ask(`/api/runs/${run}/groups/${index}`)
  },
  draw(data) {
    const { run, index, experiment, groups, commands } = data
    const title = `Group ${index}`
    const place = `/runs/${run}/groups`
    const beside = (/** @type {string} */ rel, /** @type {number} */ at, /** @type {string} */ text) =>
      at < 0 || at >= groups ? h('span', { class: 'off' }, text) : h('a', { rel, href: `${place}/${at}` }, text)
    return {
      above: [
        { title: experiment, link: `/experiments/${encodeURIComponent(experiment)}` },
        { title: `Run ${run}`, link: `/runs/${run}` },
      ],
      title,
      content: [
        h('h1', { tabindex: -1 }, title, stateMark(data.status)),
        groups > 1
          ? h(
              'nav',
              { class: 'pager', 'aria-label': 'Groups beside this one' },
              beside('prev', index - 1, 'Previous'),
              h('span', {}, `${index + 1} of ${groups}`),
              beside('next', index + 1, 'Next'),
            )
          : null,
        h(
          'div',
          { class: 'columns' },
          factList(data.facts),
          h('div', {}, ...titled('Parameters', data.parameters), ...titled('Metrics', data.metrics)),
        ),
        ['finished', 'running'].includes(data.status) ? null : command(commands.why),
        log(data, 'stdout', 'Output'),
        log(data, 'stderr', 'Errors'),
        section('program', 'What ran', command(data.program)),
      ],
    }
  },
}

/** @param {string} title @param {readonly Fact[]} facts */
function titled(title, facts) {
  return facts.length > 0 ? [h('h3', {}, title), factList(facts)] : []
}

/** @param {Group} data @param {'stdout' | 'stderr'} stream @param {string} title */
function log({ run, index, over, commands }, stream, title) {
  const pane = h('pre', {
    ...{ class: 'log', tabindex: 0, 'data-keep': true, 'data-over': String(over), 'aria-label': title },
    'data-log': `/api/runs/${run}/groups/${index}/${stream}`,
  })
  return section(`${stream} ${index}`, title, pane, command(commands[stream]))
}

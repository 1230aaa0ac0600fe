/** @import { Page, Plot } from './shapes.js' */

import { ask, experimentLink } from './data.js'
import { h } from './dom.js'
import { choice, command, field, problemOf, remark, section, select, tabs, toggle } from './parts.js'

/** A plot of the groups of an experiment. @type {Page<Plot>} */
export const plot = {
  // As for the comparison, all groups of the experiment are read for it.
  pause: 5000,
  grows: ({ grows }) => grows,
  draw(data, [name = '']) {
    return {
      above: [{ title: name, link: experimentLink(name) }],
      title: 'Plot',
      content: [
        h('h1', { tabindex: -1 }, name),
        tabs(name, 'Plot'),
        h('p', { class: 'lead' }, data.drawn?.headline ?? 'Nothing is drawn'),
        choices(data),
        data.drawn ? picture(data, name, new URLSearchParams(location.search)) : null,
        data.problem ? problem(data.problem) : null,
        ...(data.drawn?.remarks ?? []).map(remark),
        command(data.command),
      ],
    }
  },
}

/** @param {NonNullable<Plot['problem']>} problem */
function problem({ message, hint }) {
  const box = problemOf(message, hint)
  if (location.search !== '') box.append(h('p', {}, h('a', { href: location.pathname }, 'Draw what fits')))
  return box
}

/** @param {Plot} data */
function choices({ chosen, kinds, metrics, varying, over, log }) {
  const axes = [...varying, ...metrics.filter(name => name !== chosen.y)]
  const logarithmic = (/** @type {'x' | 'y'} */ axis) => {
    const next = { ...log, [axis]: !log[axis] }
    const text = (next.x ? 'x' : '') + (next.y ? 'y' : '')
    return toggle(`${axis} logarithmic`, log[axis], { log: text || 'none' })
  }
  const colours = varying.map(name => {
    const apart = varying.filter(each => (each === name ? over.includes(name) : !over.includes(each)))
    const changes = apart.length > 0 ? { by: apart.join(','), over: null } : { by: null, over: varying.join(',') }
    return toggle(name, !over.includes(name), changes)
  })
  return h(
    'div',
    { class: 'choices' },
    select('y', 'Metric', metrics, chosen.y),
    select('x', 'over', axes, chosen.x, 'what fits'),
    select('facet', 'A plot for each', varying, chosen.facet, 'none'),
    select('kind', 'As', kinds, chosen.kind, 'what fits'),
    choice('Told apart', colours),
    choice('Axes', [logarithmic('x'), logarithmic('y')]),
    field('runs', 'Runs, as in 4 7-9', 'all runs'),
  )
}

/** A curve of a metric, as the server has drawn it for this query. @typedef {{ plot: Plot, query: URLSearchParams }} Curve */

/**
 * The browser takes the picture that fits the window and the light. In a picture no script runs.
 * @param {Plot} plot
 * @param {string} name of the experiment
 * @param {URLSearchParams} query that asks for it
 */
function picture({ drawn, digest }, name, query) {
  const place = `/api${experimentLink(name)}/plot.svg?${new URLSearchParams([...query, ['of', digest]])}`
  const source = (/** @type {string} */ media, /** @type {string} */ more) =>
    h('source', { media, srcset: place + more })
  const narrow = '(max-width: 720px)'
  const dark = '(prefers-color-scheme: dark)'
  const sources = [
    source(`${narrow} and ${dark}`, '&width=85&dark=1'),
    source(narrow, '&width=85'),
    source(dark, '&width=170&dark=1'),
  ]
  const image = h('img', { src: `${place}&width=170`, alt: `${drawn?.text}. ${drawn?.headline}` })
  return h('figure', { class: 'plot' }, h('picture', {}, sources, image))
}

/**
 * Asks for the curves of metrics that can be drawn.
 * @param {string} name of the experiment
 * @param {string} runs a run, or a group as 4.17
 * @param {readonly string[]} metrics
 */
export async function askedCurves(name, runs, metrics) {
  /** @type {Curve[]} */
  const curves = []
  for (const y of metrics) {
    const query = new URLSearchParams({ runs, y, kind: 'series' })
    const plot = /** @type {Plot} */ (await ask(`/api${experimentLink(name)}/plot`, query))
    if (plot.drawn) curves.push({ plot, query })
  }
  return curves
}

/** @param {string} name of the experiment @param {readonly Curve[]} curves */
export function curvesOf(name, curves) {
  if (curves.length === 0) return null
  const drawn = curves.map(({ plot, query }) => [
    picture(plot, name, query),
    h(
      'p',
      { class: 'examples' },
      h('a', { href: `${experimentLink(name)}/plot?${query}` }, plot.drawn?.headline ?? ''),
    ),
  ])
  return section('curves', curves.length === 1 ? 'Curve' : 'Curves', ...drawn.flat())
}

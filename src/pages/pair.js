/** @import { Page, Pair } from './shapes.js' */
import { experimentLink } from './data.js'
import { h } from './dom.js'
import { command, remark, section } from './parts.js'

/** Two groups of an experiment, side by side. @type {Page<Pair>} */
export const pair = {
  draw(data, [name = '']) {
    const { groups, parameters, facts, metrics, code, diff, isCut } = data
    const title = groups.map(group => group.title).join(' and ')
    const links = groups.map(group => h('th', { scope: 'col' }, h('a', { href: group.link }, `Group ${group.title}`)))
    const head = h('thead', {}, h('tr', {}, h('td', {}), links))
    const shape = { class: 'diff', tabindex: 0, 'aria-label': 'Diff of the code' }
    return {
      above: [{ title: name, link: experimentLink(name) }],
      title,
      content: [
        h('h1', { tabindex: -1 }, `Groups ${title}`),
        h('div', { class: 'scroll' }, h('table', { class: 'pair' }, head, [facts, parameters, metrics].map(rowsOf))),
        command(data.command),
        section(
          'code',
          'Code',
          h('p', {}, code),
          diff === '' ? null : h('pre', shape, diff.trimEnd().split('\n').map(lineOf)),
          isCut ? remark('The diff is longer; the command shows all of it.') : null,
        ),
      ],
    }
  },
}

/** @param {Pair['facts']} rows */
function rowsOf(rows) {
  if (rows.length === 0) return null
  const lines = rows.map(({ name, texts, isSame }) => {
    const cells = texts.map(text => h('td', {}, text))
    return h('tr', { class: !isSame && 'differs' }, h('th', { scope: 'row' }, name), cells)
  })
  return h('tbody', {}, lines)
}

/** @param {string} line of a diff */
function lineOf(line) {
  const isPlace = /^(---|\+\+\+|@@|diff |index )/.test(line)
  const kind = isPlace ? 'place' : line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : null
  return h('span', { class: kind }, line)
}

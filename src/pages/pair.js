/** @import { Page, Pair } from './shapes.js' */
import { ask } from './data.js'
import { h } from './dom.js'
import { command, section } from './parts.js'

/** Two groups of an experiment, side by side. @type {Page<Pair>} */
export const pair = {
  async *load([name = ''], query) {
    yield ask(`/api/experiments/${encodeURIComponent(name)}/pair`, query)
  },
  draw(data, [name = '']) {
    const { groups, parameters, facts, metrics, code, diff, isCut } = data
    const title = groups.map(group => group.title).join(' and ')
    return {
      above: [{ title: name, link: `/experiments/${encodeURIComponent(name)}` }],
      title,
      content: [
        h('h1', { tabindex: -1 }, `Groups ${title}`),
        h(
          'div',
          { class: 'scroll' },
          h(
            'table',
            { class: 'pair' },
            h(
              'thead',
              {},
              h(
                'tr',
                {},
                h('td', {}),
                groups.map(group => h('th', { scope: 'col' }, h('a', { href: group.link }, `Group ${group.title}`))),
              ),
            ),
            [facts, parameters, metrics].map(rowsOf),
          ),
        ),
        command(data.command),
        section(
          'code',
          'Code',
          h('p', {}, code),
          diff === ''
            ? null
            : h(
                'pre',
                { class: 'diff', tabindex: 0, 'aria-label': 'Diff of the code' },
                diff.trimEnd().split('\n').map(lineOf),
              ),
          isCut ? h('p', { class: 'remark' }, 'The diff is longer; the command shows all of it.') : null,
        ),
      ],
    }
  },
}

/** @param {Pair['facts']} rows */
function rowsOf(rows) {
  if (rows.length === 0) return null
  const line = (/** @type {Pair['facts'][number]} */ { name, texts, isSame }) =>
    h(
      'tr',
      { class: !isSame && 'differs' },
      h('th', { scope: 'row' }, name),
      texts.map(text => h('td', {}, text)),
    )
  return h('tbody', {}, rows.map(line))
}

/** @param {string} line of a diff */
function lineOf(line) {
  const isPlace = /^(---|\+\+\+|@@|diff |index )/.test(line)
  const kind = isPlace ? 'place' : line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : null
  return h('span', { class: kind }, line)
}

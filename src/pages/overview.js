/** @import { Overview, Page } from './shapes.js' */
import { ask } from './data.js'
import { h } from './dom.js'
import { command, empty } from './parts.js'
import { tableOf } from './table.js'

/** The list of experiments. @type {Page<Overview>} */
export const overview = {
  async *load() {
    yield ask('/api/overview')
  },
  draw({ table, command: typed }) {
    const list =
      table.rows.length > 0
        ? [tableOf(table), command(typed)]
        : [empty('No experiment yet. To register a script of the project as one, type', 'qanat experiment new')]
    return { above: [], title: 'Experiments', content: [h('h1', { tabindex: -1 }, 'Experiments'), ...list] }
  },
}

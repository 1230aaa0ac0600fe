/** @import { Datasets, Document, Documents, Overview, Page } from './shapes.js' */
import { ask } from './data.js'
import { h } from './dom.js'
import { command, empty, factList } from './parts.js'
import { tableOf } from './table.js'

// What is registered. For documents and datasets, git and files are looked at.

const pause = 5000

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

/** The list of documents. @type {Page<Documents>} */
export const documents = {
  pause,
  draw({ table, command: typed }) {
    const list =
      table.rows.length > 0
        ? [tableOf(table), command(typed)]
        : [
            empty(
              'No document yet. One lists the files of runs that a paper needs. To register one, type',
              'qanat document new',
            ),
          ]
    return { above: [], title: 'Documents', content: [h('h1', { tabindex: -1 }, 'Documents'), ...list] }
  },
}

/** A document and what it needs. @type {Page<Document>} */
export const document = {
  pause,
  draw({ name, description, facts, table, next, command: typed }) {
    return {
      above: [{ title: 'Documents', link: '/documents' }],
      title: name,
      content: [
        h('h1', { tabindex: -1 }, name),
        description ? h('p', { class: 'lead' }, description) : null,
        factList(facts),
        table.rows.length > 0
          ? tableOf(table)
          : empty('It needs nothing yet. To add something, type', `qanat document add_dependency ${name}`),
        next === null ? null : command(next),
        command(typed),
      ],
    }
  },
}

/** The list of datasets. @type {Page<Datasets>} */
export const datasets = {
  pause,
  draw({ table, command: typed }) {
    const list =
      table.rows.length > 0
        ? [tableOf(table), command(typed)]
        : [empty('No dataset yet. To give data a name, type', 'qanat dataset new')]
    return { above: [], title: 'Datasets', content: [h('h1', { tabindex: -1 }, 'Datasets'), ...list] }
  },
}

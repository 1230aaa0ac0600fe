/** @import { Datasets, Document, Documents, Drawn, Overview, Page, PageTable } from './shapes.js' */
import { ask } from './data.js'
import { h } from './dom.js'
import { command, empty, factList } from './parts.js'
import { tableOf } from './table.js'

// What is registered. For documents and datasets, git and files are looked at.

const pause = 5000

/**
 * @param {string} title
 * @param {{ table: PageTable, command: string }} data
 * @param {string} text where the list is empty
 * @param {string} typed to register something
 * @returns {Drawn}
 */
function listPage(title, { table, command: same }, text, typed) {
  const list = table.rows.length > 0 ? [tableOf(table), command(same)] : [empty(text, typed)]
  return { above: [], title, content: [h('h1', { tabindex: -1 }, title), ...list] }
}

/** The list of experiments. @type {Page<Overview>} */
export const overview = {
  async *load() {
    yield ask('/api/overview')
  },
  draw: data =>
    listPage(
      'Experiments',
      data,
      'No experiment yet. To register a script of the project as one, type',
      'qanat experiment new',
    ),
}

/** The list of documents. @type {Page<Documents>} */
export const documents = {
  pause,
  draw: data =>
    listPage(
      'Documents',
      data,
      'No document yet. One lists the files of runs that a paper needs. To register one, type',
      'qanat document new',
    ),
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
  draw: data => listPage('Datasets', data, 'No dataset yet. To give data a name, type', 'qanat dataset new'),
}

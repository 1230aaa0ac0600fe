import { aligned } from '../format/aligned.js'
import { type Page, tabs } from './state.js'

const moves = [
  ['↑ ↓, j k', 'one row'],
  ['PgUp PgDn', 'one screen'],
  ['Home End', 'the first or the last row'],
]
const leaving = [
  ['q, Esc, ←', 'go back; q on the first screen leaves'],
  ['Ctrl-C', 'leave at once'],
  ['Ctrl-Z', 'suspend, until fg'],
]
const filtering = [
  ['Enter, →', 'open the row'],
  ['/', 'filter: status:failed,lost --lr:0.1 acc>0.9 words'],
  ['s', 'sort: sort:-duration, sort:acc'],
  ['z', 'reset the filter'],
]
const ofRuns = [['', 'Names in filters: status runner context commit tag description param sort']]
const ofGroups = [
  ['', 'Names in filters: status cause host param sort'],
  ['a b c d e f', 'output, errors, parameters, comment, files, scheduler log'],
  ['g r t x w', 'delete, retry, retire, cancel, why'],
  ['h i l …, p', 'actions; parameters files'],
]

/** All keys of a page, one a line. */
export function keysHelp(page: Page): string[] {
  const own = {
    runs: [...filtering, ...ofRuns],
    run: [...filtering, ...ofGroups],
    group: [
      [Object.keys(tabs).join(' '), Object.values(tabs).join(', ').toLowerCase()],
      ['Tab', 'the next of these'],
      ['v', 'the whole text in your pager'],
    ],
  }[page.kind]
  return aligned([...leaving, ...own, ...moves]).split('\n')
}

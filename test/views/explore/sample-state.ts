import type { BrowsedGroup } from '../../../src/operations/browse/run-pages.js'
import { runCard } from '../../../src/views/explore/run-card.js'
import type { GroupPage, Page, RunPage, RunsPage, State } from '../../../src/views/explore/state.js'
import { plainStyle } from '../../../src/views/format/style.js'
import { experimentCalled } from '../../store/stores.js'
import { endedRun, failedGroup, newRun } from '../sample-run.js'

const now = Date.UTC(2026, 10, 21, 12, 5)

function numbered<Row>(count: number, rowAt: (index: number) => Row) {
  const ids = Array.from({ length: count }, (_, index) => index)
  return { ids, at: 0, total: count, line: '', rows: new Map(ids.map(id => [id, rowAt(id)])) }
}

/** Runs with texts that are wide, long, or not harmless. */
export const runsPage: RunsPage = {
  kind: 'runs',
  experiment: experimentCalled('iris', { description: 'Über 日本語 and 🏁 and \x1b[31mred\x1b[0m' }),
  list: numbered(50, id => ({ ...(id % 2 ? endedRun : newRun), id, tags: ['紙', `t${id}`] })),
  preview: runCard(plainStyle, endedRun, ['--lr', '0.1', 'x'.repeat(300)], { hasComment: true, hasCopy: true }, now),
  asOf: now - 23_000,
}

const simple = (key: string, name: string) => ({ key, name, question: null, action: null })

export const runPage: RunPage = {
  ...{ kind: 'run', run: 4, title: 'Run 4 of experiment iris', facts: runsPage.preview },
  entries: [
    ...[simple('a', 'Show output(s)'), simple('b', 'Show error(s)'), simple('c', 'Show parameters')],
    ...[simple('d', 'Show comment'), simple('e', 'Explore run directory')],
    { ...simple('g', 'Delete run'), question: 'Delete run 4?' },
    { ...simple('h', 'Action: plot'), action: 'plot' },
    simple('w', 'Why'),
  ],
  list: numbered(30, (index): BrowsedGroup => ({ ...failedGroup, index, metrics: { acc: 0.5 + index } })),
  ...{ varying: ['--lr'], metrics: ['acc'] },
}

export const groupPage: GroupPage = {
  ...{ kind: 'group', run: 4, index: 7, title: 'Group 7 of run 4 · failed · exit 3', tab: 'a', top: null },
  text: Array.from({ length: 60 }, (_, line) => `line ${line}${line % 20 === 19 ? ' 日本 x'.repeat(30) : ''}`),
}

/** The screen with these pages one above the other. */
export function stateWith(...pages: [Page, ...Page[]]): State {
  return { pages, question: null, notice: '', problem: '', now }
}

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

export const runPage: RunPage = {
  kind: 'run',
  run: 4,
  title: 'Run 4 of experiment iris',
  facts: runsPage.preview,
  entries: [
    ...['Show output(s)', 'Show error(s)', 'Show parameters', 'Show comment', 'Explore run directory'].map(
      (name, at) => ({
        ...{ key: 'abcde'[at]!, name, question: null, action: null },
      }),
    ),
    { key: 'g', name: 'Delete run', question: 'Delete run 4?', action: null },
    { key: 'h', name: 'Action: plot', question: null, action: 'plot' },
    { key: 'w', name: 'Why', question: null, action: null },
  ],
  list: numbered(30, (index): BrowsedGroup => ({ ...failedGroup, index, metrics: { acc: 0.5 + index } })),
  varying: ['--lr'],
  metrics: ['acc'],
}

export const groupPage: GroupPage = {
  kind: 'group',
  run: 4,
  index: 7,
  title: 'Group 7 of run 4 · failed · exit 3',
  tab: 'a',
  text: Array.from({ length: 60 }, (_, line) => `line ${line}${line % 20 === 19 ? ' 日本 x'.repeat(30) : ''}`),
  top: null,
}

/** The screen with these pages one above the other. */
export function stateWith(...pages: [Page, ...Page[]]): State {
  return { pages, question: null, notice: '', problem: '', now }
}

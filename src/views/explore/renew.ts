import type { List, Page, RunPage, RunsPage, State } from './state.js'

/**
 * The state with a page as it is now. Keys may have been pressed since it was asked for: what was chosen since is kept.
 * @param asked the page as it was then
 */
export function renewedState(state: State, asked: Page, fresh: Page): State {
  return { ...state, pages: state.pages.map(page => (isSame(page, asked) ? renewed(page, fresh) : page)) as never }
}

/** The state without a page, and what was opened from it. @param runs is shown if nothing else is left */
export function withoutPage(state: State, gone: Page, runs: RunsPage, notice: string): State {
  const at = state.pages.findIndex(page => isSame(page, gone))
  if (at === -1) return state
  const [first = runs, ...others] = state.pages.slice(0, at)
  return { ...state, pages: [first, ...others], question: null, notice: state.notice || notice }
}

function isSame(one: Page, other: Page): boolean {
  return placeOf(one).join('\0') === placeOf(other).join('\0')
}

function placeOf(page: Page): (string | number)[] {
  if (page.kind === 'group') return [page.kind, page.run, page.index, page.tab]
  return page.kind === 'run' ? [page.kind, page.run, page.list.line] : [page.kind, page.list.line]
}

function renewed(page: Page, fresh: Page): Page {
  if (page.kind === 'group' && fresh.kind === 'group') return { ...fresh, top: page.top }
  if (page.kind === 'runs' && fresh.kind === 'runs') return { ...fresh, list: moved(page.list, fresh.list) }
  if (page.kind === 'run' && fresh.kind === 'run') return { ...fresh, list: moved(page.list, fresh.list) }
  return page
}

/** The page with another filter line: the same row stays chosen if it is still there. */
export function refiltered<Filtered extends RunsPage | RunPage>(before: Filtered, after: Filtered): Filtered {
  const at = after.list.ids.indexOf(before.list.ids[before.list.at] ?? -1)
  return { ...after, list: { ...after.list, at: Math.max(0, at) } }
}

/** The same row stays chosen, wherever it is now. */
function moved<Row>(before: List<Row>, after: List<Row>): List<Row> {
  const place = after.ids.indexOf(before.ids[before.at] ?? -1)
  const at = place === -1 ? Math.max(0, Math.min(before.at, after.ids.length - 1)) : place
  return { ...after, at }
}

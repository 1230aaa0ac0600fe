import { UserError } from '../../errors.js'
import { whyRun } from '../../operations/runs/why-run.js'
import { refiltered } from '../../views/explore/renew.js'
import type { Command, GroupPage, Page, RunPage, RunsPage, State } from '../../views/explore/state.js'
import { pageOf, withPage } from '../../views/explore/state.js'
import type { Events } from './events.js'
import { knownWords } from './known-words.js'
import type { Pages } from './pages.js'
import { act, done, shown } from './run-entries.js'
import { showLines, showLog } from './show.js'
import { logFile } from './tab-text.js'
import type { Terminal } from './terminal.js'

export interface Screen {
  readonly pages: Pages
  readonly terminal: Terminal
  readonly events: Events
}

/** Does what a key asked for. @returns the state after it @throws QanatError if it fails */
export async function perform(screen: Screen, state: State, command: Command): Promise<State> {
  const { pages, terminal } = screen
  switch (command.do) {
    case 'leave':
      return state
    case 'stop':
      terminal.suspend()
      return state
    case 'open run':
      return opened(state, await pages.run(command.run, ''))
    case 'open group':
      return opened(state, await pages.group(command.run, command.index, 'a'))
    case 'open tab': {
      const { run, index } = pageOf(state) as GroupPage
      return withPage(state, await pages.group(run, index, command.tab))
    }
    case 'page tab':
      return pageTab(screen, state, pageOf(state) as GroupPage)
    case 'ask for filter': {
      const known = knownWords(pages, pageOf(state) as RunsPage | RunPage)
      return { ...state, question: { kind: 'filter', text: command.text, known, at: 0 } }
    }
    case 'filter': {
      const page = pageOf(state) as RunsPage | RunPage
      if (page.kind === 'runs') return withPage(state, refiltered(page, await pages.runs(command.text)))
      return withPage(state, refiltered(page, await pages.run(page.run, command.text)))
    }
    case 'action': {
      const run = pages.workspace.store.runs.get(command.run)
      // Its output cannot be shown again: a key typed before its end must not hide it.
      const isSeen = () => screen.events.newKey()
      await lent(screen, () => act(pages.plain, run, command), isSeen)
      return state
    }
    case 'entry':
      return enter(screen, state, command.run, command.key)
  }
}

function opened(state: State, page: Page): State {
  return { ...state, pages: [...state.pages, page] as unknown as State['pages'] }
}

async function enter(screen: Screen, state: State, id: number, key: string): Promise<State> {
  const { pages, events } = screen
  const run = pages.workspace.store.runs.get(id)
  if (key === 'w') {
    const { index } = await whyRun(pages.workspace, run, null)
    return opened(state, await pages.group(id, index, 'w'))
  }
  const show = shown[key]
  if (show !== undefined) {
    await lent(screen, () => show(pages.plain, run))
    return state
  }
  return { ...state, notice: await done[key]!(pages.workspace, run, events.interruption.signal) }
}

async function pageTab(screen: Screen, state: State, { run: id, index, tab }: GroupPage): Promise<State> {
  const { workspace } = screen.pages
  const run = workspace.store.runs.get(id)
  const { text } = await screen.pages.group(id, index, tab)
  const isLog = tab === 'a' || tab === 'b'
  await lent(screen, () =>
    isLog ? showLog(screen.pages.plain, run, logFile(workspace, run, index, tab)) : showLines(text),
  )
  return state
}

/**
 * Lends the terminal to some work.
 * @param work whether the user has seen what it showed
 * @param isSeen waits until the user has, with a key
 */
async function lent(
  { terminal, events }: Screen,
  work: () => Promise<boolean>,
  isSeen = () => events.goOn(),
): Promise<void> {
  let failure: unknown = null
  const run = async () => {
    try {
      const wasSeen = await work()
      // A key that was typed to leave the pager may have come before the pager could read it.
      if (wasSeen) events.takeGoOn()
      return wasSeen
    } catch (error) {
      failure = error
      // Then nothing was shown.
      return error instanceof UserError
    }
  }
  await terminal.lend(run, isSeen)
  if (failure !== null) throw failure
}

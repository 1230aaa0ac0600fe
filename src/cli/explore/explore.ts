import { BusyError, QanatError } from '../../errors.js'
import type { Workspace } from '../../operations/workspace.js'
import { explainDatabase } from '../../store/database.js'
import { reduce } from '../../views/explore/reduce.js'
import { linesOf } from '../../views/explore/render.js'
import type { Page, State } from '../../views/explore/state.js'
import { styleOf } from '../../views/format/style.js'
import { perform, type Screen } from './commands.js'
import { Events } from './events.js'
import { Pages } from './pages.js'
import { Terminal } from './terminal.js'
import { Watcher } from './watcher.js'

/** After this time, in milliseconds, the screen says that something is under way. */
const noticed = 150

/** What is opened first. */
export interface Start {
  readonly experiment: string
  /** The run whose page is opened; null for the list of runs. */
  readonly run: number | null
  readonly line: string
}

/**
 * Shows the runs of an experiment on the whole terminal until the user leaves.
 * @throws UserError for a filter line that is not understood, before anything is shown
 */
export async function explore(workspace: Workspace, { experiment, run, line }: Start): Promise<number> {
  const style = styleOf(process.stdout)
  let told = ''
  const warn = (message: string) => {
    told = told === '' ? message : `${told}\n${message}`
  }
  const pages = new Pages(workspace, experiment, style, warn)
  const first: Page = run === null ? await pages.runs(line) : await pages.run(run, '')
  let state: State = { pages: [first], question: null, notice: '', problem: '', now: Date.now() }
  const events = new Events()
  const terminal = new Terminal(events)
  const stop = new AbortController()
  const draw = () => {
    try {
      state = pages.filled(state, terminal.size)
    } catch (error) {
      // Other rows can be read a moment later.
      if (!(explainDatabase(error) instanceof BusyError)) throw error
    }
    terminal.draw(linesOf(state, terminal.size, style))
  }
  const screen: Screen = { pages, terminal, events }
  const watcher = new Watcher(
    pages,
    () => state,
    change => events.add({ change }),
    stop.signal,
  )
  const ended = (code: number) => {
    terminal.close()
    // A scheduler that does not answer keeps nobody waiting: a refresh can be ended at any point.
    return watcher.isWaiting ? process.exit(code) : code
  }
  terminal.open()
  try {
    draw()
    watcher.start()
    for (;;) {
      const event = await events.next()
      if ('code' in event) return ended(event.code)
      if ('change' in event) state = event.change(state)
      if ('key' in event) {
        const { state: after, command } = reduce(state, event.key, terminal.size)
        const isBack = after.pages.length < state.pages.length
        state = after
        if (command?.do === 'leave') return ended(command.code)
        if (command !== null) {
          const working = setTimeout(() => {
            terminal.draw(linesOf({ ...state, notice: 'Working …' }, terminal.size, style))
          }, noticed)
          state = await tried(state, () => perform(screen, state, command)).finally(() => clearTimeout(working))
        }
        if (told !== '') state = { ...state, notice: [state.notice, told].filter(text => text !== '').join('\n') }
        told = ''
        if (command !== null || isBack) watcher.look(command?.do === 'entry' || command?.do === 'action')
      }
      if (!events.hasKey) draw()
    }
  } finally {
    stop.abort()
    terminal.close()
  }
}

/** The state after some work; if that fails, the same with the reason. */
async function tried(state: State, work: () => Promise<State>): Promise<State> {
  try {
    return await work()
  } catch (thrown) {
    const error = explainDatabase(thrown)
    if (!(error instanceof QanatError)) throw error
    return { ...state, notice: `Error: ${error.message}${error.hint === null ? '' : `\n  ${error.hint}`}` }
  }
}

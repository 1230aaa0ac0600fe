import { choicesOf } from './filter-words.js'
import { frameOf } from './frame.js'
import { lastTop, rowsIn } from './render.js'
import {
  type Command,
  type GroupPage,
  type List,
  pageOf,
  type Question,
  type RunPage,
  type RunsPage,
  type Size,
  type State,
  type Tab,
  tabs,
  withPage,
} from './state.js'

/** What a key leads to: another state, and what has to be done beyond it. */
export interface Step {
  readonly state: State
  readonly command: Command | null
}

/** Answers a key, which is a character or a name such as `up` or `ctrl-c`. */
export function reduce(before: State, key: string, size: Size): Step {
  const state = { ...before, notice: '' }
  if (key === 'ctrl-c') return { state, command: { do: 'leave', code: 130 } }
  if (key === 'ctrl-z') return { state, command: { do: 'stop' } }
  if (state.question !== null) return answered(state, state.question, key)
  if (key === '?') return still({ ...state, question: { kind: 'keys' } })
  if (key === 'q' || key === 'escape' || key === 'left') return back(state, key)
  const page = pageOf(state)
  return page.kind === 'group' ? inText(state, page, key, size) : inList(state, page, key, size)
}

function still(state: State): Step {
  return { state, command: null }
}

function back(state: State, key: string): Step {
  const [first, ...others] = state.pages
  if (others.length > 0) return still({ ...state, pages: [first, ...others.slice(0, -1)] })
  return key === 'q' ? { state, command: { do: 'leave', code: 0 } } : still(state)
}

function answered(state: State, question: Question, key: string): Step {
  const closed = { ...state, question: null }
  if (question.kind === 'keys') return still(closed)
  if (question.kind === 'sure') return { state: closed, command: key === 'y' || key === 'Y' ? question.yes : null }
  if (key === 'escape') return still(closed)
  if (question.kind === 'filter') return filterTyped(state, question, key)
  if (key !== 'enter') return still({ ...state, question: { ...question, text: typed(question.text, key) } })
  const { run, action, groups, text } = question
  if (question.words === null && groups > 1)
    return still({ ...state, question: { ...question, words: text, text: '' } })
  const [words, group] = question.words === null ? [text, ''] : [question.words, text.trim()]
  return { state: closed, command: { do: 'action', run, action, words, group } }
}

function filterTyped(state: State, question: Question & { readonly kind: 'filter' }, key: string): Step {
  const { text, known, at } = question
  const asked = (changes: Partial<typeof question>) => still({ ...state, question: { ...question, ...changes } })
  if (key === 'enter') return { state: { ...state, question: null }, command: { do: 'filter', text: text.trim() } }
  if (key === 'down' || key === 'up') return asked({ at: Math.max(0, at + (key === 'down' ? 1 : -1)) })
  if (key !== 'tab') return asked({ text: typed(text, key), at: 0 })
  const choices = choicesOf(text, known)
  return asked({ text: choices[at % Math.max(1, choices.length)]?.line ?? text, at: 0 })
}

/** A text after a key: characters are added at its end. */
function typed(text: string, key: string): string {
  if (key === 'backspace') return [...text].slice(0, -1).join('')
  if (key === 'ctrl-u') return ''
  if (key === 'ctrl-w') return text.replace(/\S*\s*$/, '')
  return [...key].length === 1 && !/[\x00-\x1f\x7f-\x9f]/.test(key) ? text + key : text
}

function inList(state: State, page: RunsPage | RunPage, key: string, size: Size): Step {
  const { list } = page
  const chosen = list.ids[list.at]
  if (page.kind === 'run') {
    const done = entryChosen(state, page, key)
    if (done !== null) return done
  }
  if (key === '/') return { state, command: { do: 'ask for filter', text: list.line === '' ? '' : `${list.line} ` } }
  if (key === 's') {
    const others = list.line.split(' ').filter(word => word !== '' && !word.startsWith('sort:'))
    return { state, command: { do: 'ask for filter', text: [...others, 'sort:'].join(' ') } }
  }
  if (key === 'z') return list.line === '' ? still(state) : { state, command: { do: 'filter', text: '' } }
  if ((key === 'enter' || key === 'right') && chosen !== undefined) {
    if (page.kind === 'runs') return { state, command: { do: 'open run', run: chosen } }
    return { state, command: { do: 'open group', run: page.run, index: chosen } }
  }
  const at = moved(list, key, rowsIn(frameOf(state, size).height))
  if (at === null || at === list.at) return still(state)
  return still(withPage(state, { ...page, list: { ...list, at } } as RunsPage | RunPage))
}

function entryChosen(state: State, page: RunPage, key: string): Step | null {
  const entry = page.entries.find(each => each.key === key)
  if (entry === undefined) return null
  const { run, list } = page
  if (entry.action !== null) {
    const question = { kind: 'action', text: '', run, action: entry.action, groups: list.total, words: null } as const
    return still({ ...state, question })
  }
  const command = { do: 'entry', run, key } as const
  if (entry.question === null) return { state, command }
  return still({ ...state, question: { kind: 'sure', text: entry.question, yes: command } })
}

const steps: Readonly<Record<string, (rows: number) => number>> = {
  up: () => -1,
  k: () => -1,
  down: () => 1,
  j: () => 1,
  pageup: rows => -Math.max(1, rows),
  pagedown: rows => Math.max(1, rows),
  ' ': rows => Math.max(1, rows),
  home: () => Number.NEGATIVE_INFINITY,
  end: () => Number.POSITIVE_INFINITY,
}

/** Where a key leads in a list; null for a key that moves nothing. */
function moved({ ids, at }: List<unknown>, key: string, rows: number): number | null {
  const step = Object.hasOwn(steps, key) ? steps[key]! : null
  return step && Math.max(0, Math.min(ids.length - 1, at + step(rows)))
}

function inText(state: State, page: GroupPage, key: string, size: Size): Step {
  if (Object.hasOwn(tabs, key)) return { state, command: { do: 'open tab', tab: key as Tab } }
  if (key === 'tab' || key === 'backtab') {
    const all = Object.keys(tabs) as Tab[]
    const next = all.indexOf(page.tab) + (key === 'tab' ? 1 : -1)
    return { state, command: { do: 'open tab', tab: all.at(next % all.length)! } }
  }
  if (key === 'v') return { state, command: { do: 'page tab' } }
  const step = Object.hasOwn(steps, key) ? steps[key]! : null
  if (step === null) return still(state)
  const { height } = frameOf(state, size)
  const last = lastTop(page, size.columns, height)
  const top = Math.max(0, Math.min(last, (page.top ?? last) + step(height)))
  // At its end, a log is followed.
  const follows = (page.tab === 'a' || page.tab === 'b') && top === last
  return still(withPage(state, { ...page, top: follows ? null : top }))
}

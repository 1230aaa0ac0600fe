import { counted } from '../format/counted.js'
import { plainStyle, type Style } from '../format/style.js'
import { age, clockTime } from '../format/times.js'
import { choicesOf } from './filter-words.js'
import {
  type GroupPage,
  type List,
  type Page,
  pageOf,
  type RunPage,
  type RunsPage,
  type Size,
  type State,
  tabs,
} from './state.js'
import { flowed, wrapped } from './wrap.js'

/** What is around the part of a page that scrolls. */
export interface Frame {
  readonly head: readonly string[]
  /** How many lines are left for rows or for text; the headings of a list are not among them. */
  readonly height: number
  readonly below: readonly string[]
  readonly foot: readonly string[]
}

/** In a terminal with fewer rows, the run that is chosen has no preview. */
const rowsForPreview = 18
const mostPreviewLines = 9
/** Rows of a list of groups that remain beside the facts of the run. */
const leastGroups = 6
const mostNoticeLines = 4

/** What is around the list or the text of the page that is shown. */
export function frameOf(state: State, size: Size, style: Style = plainStyle): Frame {
  const foot = footOf(state, size, style).slice(-Math.max(1, size.rows - 2))
  const left = size.rows - foot.length
  const { head, below } = aroundOf(pageOf(state), state.now, { columns: size.columns, rows: left }, style)
  const shown = head.slice(0, Math.max(0, left - 1))
  const height = Math.max(0, left - shown.length - below.length)
  return { head: shown, height, below, foot }
}

function aroundOf(page: Page, now: number, size: Size, style: Style): { head: string[]; below: string[] } {
  if (page.kind === 'runs') return aroundRuns(page, now, size, style)
  return { head: page.kind === 'run' ? headOfRun(page, size, style) : headOfGroup(page, size, style), below: [] }
}

function aroundRuns({ experiment, list, preview, asOf }: RunsPage, now: number, { columns, rows }: Size, style: Style) {
  const live = asOf === null ? '' : ` · as of ${clockTime(asOf)} (${age(now - asOf)} ago)`
  const runs = counted(list.total, 'run')
  const isLarge = rows >= rowsForPreview
  const head = [
    style.colour.bold(`${style.symbol('🔖')}${experiment.name} · ${runs}${live}`),
    ...(isLarge && experiment.description !== '' ? [`${style.symbol('💬')}${experiment.description}`] : []),
    ...filterText(list),
  ]
  const height = Math.min(mostPreviewLines, Math.floor(rows / 3))
  const facts = unfolded(preview, columns)
  const below = isLarge
    ? [style.colour.dim('─'.repeat(columns)), ...Array.from({ length: height }, (_, at) => facts[at] ?? '')]
    : []
  return { head, below }
}

function filterText({ line, ids, total }: List<unknown>): string[] {
  return line === '' ? [] : [`Filter: ${line} · ${ids.length} of ${total} (z resets it)`]
}

/** Facts that share a line get lines of their own where it is too long. */
function unfolded(facts: readonly string[], columns: number): string[] {
  return facts.flatMap(line => flowed(line.split(/ {3}(?=\S)/), columns))
}

/** If too little space is left for groups, the names of the entries are shortened first, then the facts. */
function headOfRun({ title, facts, entries, list }: RunPage, { columns, rows }: Size, style: Style): string[] {
  const filter = filterText(list)
  const room = rows - 2 - filter.length - Math.max(1, Math.min(leastGroups, list.ids.length, Math.floor(rows / 3)))
  const named = flowed(
    entries.map(({ key, name }) => `[${key}] ${name}`),
    columns,
  )
  const letters = flowed(
    entries.map(({ key }) => `[${key}]`),
    columns,
  )
  const shown = named.length + 2 <= room ? named : letters
  const factCount = Math.max(0, room - shown.length)
  return [style.colour.bold(title), ...unfolded(facts, columns).slice(0, factCount), ...shown, ...filter]
}

function headOfGroup({ title, tab }: GroupPage, { columns }: Size, { colour }: Style): string[] {
  const names = Object.entries(tabs).map(([key, name]) => (key === tab ? `[${key}] ${name} <` : `[${key}] ${name}`))
  const shown = flowed(names, columns).map(line =>
    line.replace(/(\[\w\] \w+) </, (_, name) => `${colour.bold(name)} <`),
  )
  return [colour.bold(title), ...shown, colour.dim('─'.repeat(columns))]
}

function footOf(state: State, { columns }: Size, style: Style): string[] {
  const notes = [state.notice, state.problem].filter(text => text !== '')
  const noted = notes
    .flatMap(text => text.split('\n').flatMap(line => wrapped(line, columns)))
    .slice(0, mostNoticeLines)
  return [...noted, ...questionText(state, columns), style.colour.dim(keysText(state, columns))]
}

function questionText({ question }: State, columns: number): string[] {
  if (question === null || question.kind === 'keys') return []
  if (question.kind === 'sure') return wrapped(`${question.text} (y/N)`, columns)
  if (question.kind === 'filter') {
    const choices = choicesOf(question.text, question.known).map(({ label }) => label)
    const others = choices.slice(question.at % Math.max(1, choices.length))
    return [
      typed('Filter: ', question.text, columns),
      others.length > 0 ? `Tab: ${others.join('  ')}` : 'Tab: nothing to add',
    ]
  }
  const { words, action, groups, text } = question
  const label = words === null ? `Arguments of ${action}: ` : `Group, 0 to ${groups - 1} (empty: the whole run): `
  return [typed(label, text, columns)]
}

/** The end of what was typed is always visible. */
function typed(label: string, text: string, columns: number): string {
  const pieces = wrapped(`${label}${text}_`, columns)
  return pieces.length === 1
    ? pieces[0]!
    : wrapped(`…${[...text].slice(-Math.max(0, columns - 2)).join('')}_`, columns)[0]!
}

function keysText({ question, pages }: State, columns: number): string {
  const keys = keysOf(question, pages.at(-1)!, pages.length === 1)
  return flowed(keys, columns)[0]!
}

function keysOf(question: State['question'], page: Page, isFirst: boolean): string[] {
  if (question?.kind === 'keys') return ['any key: back']
  if (question?.kind === 'sure') return ['y: yes', 'any other key: no']
  if (question?.kind === 'filter') return ['Enter: filter', 'Tab: add', '↓: next', 'Ctrl-U: clear', 'Esc: cancel']
  if (question !== null) return ['Enter: go on', 'Esc: cancel']
  const leave = isFirst ? 'q: leave' : 'q: back'
  if (page.kind === 'group') return [leave, '?: keys', 'Tab: next part', 'v: in pager']
  const reset = page.list.line === '' ? [] : ['z: reset']
  return [leave, '?: keys', 'Enter: open', '/: filter', 's: sort', ...reset]
}

import type { FoundFile, ListedAction, MadeFile } from '../../domain/action-record.js'
import type { Run } from '../../domain/runs/run.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { counted } from '../format/counted.js'
import { displayableLine } from '../format/displayable.js'
import { fitted } from '../format/fit.js'
import { byteText } from '../format/sizes.js'
import type { Style } from '../format/style.js'
import { duration, isoTime, moment, secondsOf } from '../format/times.js'
import type { Column } from '../model.js'
import { type JsonObject, jsonRow } from '../render/json.js'
import { terminalTable } from '../render/terminal.js'

/** At most this many files are named; the others are counted. */
const named = 3
/** At most this many runs and groups are named; the others are counted. */
const namedTargets = 8
/** How many characters of the arguments are shown, even on a narrow terminal. */
const leastOfArguments = 20

const columns: readonly Column<ListedAction>[] = [
  { key: 'id', value: ({ id }) => id },
  { key: 'action', title: 'Action', value: ({ action }) => action },
  { key: 'experiment', value: ({ experiment }) => experiment },
  { key: 'runs', title: 'On', value: targetsJson, text: targetsText },
  { key: 'document', value: ({ document }) => document },
  { key: 'started', title: 'Called', value: ({ started }) => isoTime(started), text: ({ started }) => moment(started) },
  { key: 'finished', value: ({ finished }) => isoTime(finished) },
  {
    key: 'duration',
    title: 'Duration',
    unit: 's',
    leaves: 1,
    value: action => secondsOf(timeOf(action)),
    text: action => duration(timeOf(action)),
  },
  { key: 'status', title: 'Status', value: ({ state }) => state, text: stateText },
  { key: 'exit_code', value: ({ exitCode }) => exitCode },
  { key: 'user', title: 'By', leaves: 2, value: ({ user }) => user, text: ({ user, host }) => `${user}@${host}` },
  { key: 'host', value: ({ host }) => host },
  { key: 'command', title: 'Arguments', value: ({ command }) => command, text: argumentsText },
  { key: 'script', title: 'Script', leaves: 3, value: ({ script }) => script, text: scriptText },
  { key: 'tree', value: ({ tree }) => tree },
  { key: 'inputs', value: ({ inputs: { listed, ...counts } }) => ({ ...counts, listed: listed.map(fileJson) }) },
  {
    key: 'made',
    title: 'Made',
    value: ({ made }) => made.map(file => ({ ...fileJson(file), change: file.change })),
    text: filesText,
  },
  { key: 'complete', value: ({ complete }) => complete },
  { key: 'shared', value: ({ shared }) => shared },
]

/** The actions that were called, the newest first. @param run on which; null for all runs */
export function actionsText(style: Style, actions: readonly ListedAction[], run: Run | null): string {
  if (actions.length === 0) return `No action was called on ${run === null ? 'a run yet' : `run ${run.id} yet`}`
  const shown = columns.filter(({ title }) => title !== undefined)
  const remarks = [
    ...(actions.some(({ shared }) => shared) ? ['* groups or another action wrote at the same time'] : []),
    ...(actions.some(isCut) ? ['… there were too many files to compare all of them'] : []),
  ]
  return [terminalTable({ columns: shown, rows: actions }, style, 'whole'), ...remarks].join('\n')
}

/** The same for programs: times in ISO 8601, sizes in bytes, null for unknown values. */
export function actionJson(action: ListedAction): JsonObject {
  return jsonRow(columns, action)
}

/** What an action has just made. */
export function madeText(made: readonly MadeFile[]): string {
  const shown = made.slice(0, named).map(({ path, size }) => `${path} (${byteText(size)})`)
  return `Made ${[...shown, ...moreText(made.length - named)].join(', ')}`
}

function targetsJson({ runs }: ListedAction): object[] {
  return runs.map(({ id, groups }) => ({ id, groups }))
}

/** `3 5 7.1 7.2`; of many, the first ones and how many there are. */
function targetsText({ runs }: ListedAction): string {
  const all = runs.flatMap(({ id, groups }) => (groups === null ? [String(id)] : groups.map(group => `${id}.${group}`)))
  return all.length <= namedTargets ? all.join(' ') : `${all.slice(0, named).join(' ')} … (${all.length})`
}

function timeOf({ started, finished }: ListedAction): number | null {
  return finished === null ? null : finished - started
}

function stateText({ state, exitCode }: ListedAction): string {
  if (state === 'failed') return `failed (code ${exitCode})`
  return state === 'unknown' ? 'not known from here' : state
}

/** What the script was given, without the folders, which follow from the runs; on a terminal, the beginning of it. */
function argumentsText({ command, script }: ListedAction, { columns: width }: Style): string {
  const words = command.slice(command.indexOf(script.path) + 1)
  while (/^--(storage_path|manifest)$/.test(words.at(-2) ?? '')) words.splice(-2)
  const text = displayableLine(displayCommand(words))
  return width === null ? text : fitted(text, Math.max(leastOfArguments, Math.floor(width / 3)))
}

function scriptText({ script: { path, commit, patch }, tree }: ListedAction): string {
  const state = commit === null ? 'not committed' : commit.slice(0, 7)
  const own = patch === null || commit === null ? '' : ' + changes'
  const { changed = 0 } = tree ?? {}
  const others = changed === 0 ? '' : `${own === '' ? ' + changes' : ', also'} of ${counted(changed, 'other file')}`
  return `${path} ${state}${own}${others}`
}

/** Whether not all of its files could be compared. */
function isCut({ complete, finished }: ListedAction): boolean {
  return !complete && finished !== null
}

function filesText(action: ListedAction): string {
  const { made, shared, finished, state } = action
  if (finished === null) return state === 'running' ? '' : '(not recorded: Qanat did not see its end)'
  const shown = made.slice(0, named).map(({ path, change }) => (change === 'removed' ? `(removed) ${path}` : path))
  const texts = [...shown, ...moreText(made.length - named)].join(', ')
  return `${texts}${shared ? ' *' : ''}${isCut(action) ? ' …' : ''}`.trim()
}

function moreText(count: number): string[] {
  return count > 0 ? [`and ${count} more`] : []
}

function fileJson({ path, size, digest }: FoundFile): JsonObject {
  return { path, size, digest }
}

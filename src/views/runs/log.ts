import { fewOf } from '../../domain/text/names.js'
import type { LogEntry } from '../../operations/origins/project-log.js'
import { counted } from '../format/counted.js'
import { plainStyle, type Style } from '../format/style.js'
import { isoTime, moment } from '../format/times.js'
import type { Column } from '../model.js'
import { type JsonObject, jsonRow } from '../render/json.js'
import { terminalTable } from '../render/terminal.js'
import { progressText, runStatusText } from './state.js'

const columns: readonly Column<LogEntry>[] = [
  { key: 'time', title: 'Time', value: ({ at }) => isoTime(at), text: ({ at }) => moment(at) },
  { key: 'event', title: 'Event', value: ({ event }) => event },
  { key: 'runs', title: 'Run', value: runsOf, text: entry => runsOf(entry).join(', ') },
  {
    key: 'experiment',
    title: 'Of',
    value: experimentOf,
    text: entry => experimentOf(entry) ?? documentOf(entry) ?? '',
  },
  { key: 'document', value: documentOf },
  { key: 'text', title: 'What', shrinks: 20, value: entry => textOf(entry, plainStyle), text: textOf },
]

/** What was done in a project, an event a line. */
export function logText(style: Style, entries: readonly LogEntry[]): string {
  if (entries.length === 0) return 'Nothing was done'
  return terminalTable({ columns: columns.filter(({ title }) => title !== undefined), rows: entries }, style, 'long')
}

export function logEntryJson(entry: LogEntry): JsonObject {
  return jsonRow(columns, entry)
}

function runsOf(entry: LogEntry): number[] {
  if ('action' in entry) return entry.action.runs.map(({ id }) => id)
  if (!('run' in entry)) return []
  return [typeof entry.run === 'number' ? entry.run : entry.run.id]
}

function experimentOf(entry: LogEntry): string | null {
  if ('action' in entry) return entry.action.experiment
  return 'run' in entry && typeof entry.run !== 'number' ? entry.run.experiment : null
}

function documentOf(entry: LogEntry): string | null {
  return 'document' in entry ? entry.document : null
}

function textOf(entry: LogEntry, style: Style): string {
  switch (entry.event) {
    case 'run':
      return [runStatusText(style, entry.run), progressText(entry.run), entry.run.description]
        .filter(Boolean)
        .join('  ')
    case 'retry':
      return entry.groups === null ? 'all groups' : counted(entry.groups, 'group')
    case 'action':
      return `${entry.action.action}  ${entry.action.state}`
    case 'export':
      return fewOf(entry.files)
    case 'retire':
    case 'comment':
      return entry.text
    case 'cancel':
    case 'compile':
      return ''
  }
}

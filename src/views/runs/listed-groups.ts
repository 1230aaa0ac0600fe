import { resultColumns } from '../../domain/results/collected.js'
import { type Metrics, numberOf } from '../../domain/results/metrics.js'
import { valueText } from '../../domain/results/number-text.js'
import { causeLabel } from '../../domain/runs/cause-label.js'
import { type ListedGroup, metricNumber } from '../../domain/runs/group-filter.js'
import { uniqueNames } from '../../domain/text/unique-names.js'
import type { GroupListing } from '../../operations/results/list-groups.js'
import type { Style } from '../format/style.js'
import { type Column, nameOf } from '../model.js'
import { csvTable } from '../render/csv.js'
import { finiteJson, type JsonObject, jsonRow } from '../render/json.js'
import { terminalTable } from '../render/terminal.js'
import { arrows } from '../results/comparison.js'
import { soFarIn } from '../results/so-far.js'
import { commonGroupColumns, lastedColumn } from './groups.js'
import { countText, lateNote, noneFits } from './list.js'

type GroupColumn = Column<ListedGroup>

const { index, status, cause, exitCode, host, started, finished, duration, peakMemory, cpuTime, gpus, parameters } =
  commonGroupColumns

const factColumns: readonly GroupColumn[] = [
  { key: 'run', value: group => group.run },
  ...[index, status, cause, exitCode, host, started, finished, duration, peakMemory, cpuTime, gpus],
]

/** Groups of several runs, one a line, how many fit of how many, and what to type next. @param now see {@link lastedColumn} */
export function groupsText(style: Style, listing: GroupListing, now: number): string {
  const { groups, matching, total, experiment, late } = listing
  const notes = [countText(groups.length, matching, total, 'group') + nextText(listing), ...lateNote(late, experiment)]
  if (groups.length === 0)
    return [matching === 0 ? noneFits(total, 'group') : '', ...lateNote(late, experiment)].join('\n').trim()
  return [terminalTable({ columns: columnsForPeople(listing, now), rows: groups }, style, 'long'), '', ...notes].join(
    '\n',
  )
}

function columnsForPeople({ varying, metrics, groups }: GroupListing, now: number): GroupColumn[] {
  const hasCause = groups.some(group => group.cause !== null)
  return [
    { key: 'group', title: 'Group', value: group => `${group.run}.${group.index}` },
    status,
    ...(hasCause
      ? [{ ...cause, text: (group: ListedGroup) => (group.cause === null ? '' : causeLabel(group.status)) }]
      : []),
    ...varying.map((name): GroupColumn => ({ key: name, leaves: 7, value: group => parameterText(group, name) })),
    ...metrics.map(
      ({ name, direction }): GroupColumn => ({
        key: name,
        title: `${name}${direction === null ? '' : arrows[direction]}`,
        value: group => metricNumber(group.metrics, name),
        text: group => metricText(group, name),
      }),
    ),
    lastedColumn(now),
    ...[peakMemory, cpuTime, gpus].filter(({ value }) => groups.some(group => value(group) !== null)),
    host,
  ]
}

function parameterText({ parameters: all }: ListedGroup, name: string): string {
  if (!Object.hasOwn(all, name)) return ''
  // A flag has no value.
  return all[name] === '' ? '✓' : ([all[name]!].flat().join(' ') || "''").replaceAll('\n', '⏎')
}

function metricText(group: ListedGroup, name: string): string {
  const { metrics } = group
  const number = metricNumber(metrics, name)
  if (number !== null) return valueText(number)
  if (Object.hasOwn(metrics, name) && typeof metrics[name] !== 'object') return String(metrics[name])
  return soFarIn(group, name)
}

function nextText({ groups, runs, experiment }: GroupListing): string {
  if (!groups.some(({ state }) => state === 'failed' || state === 'lost')) return ''
  return `        qanat failures ${runs.length === 1 ? runs[0]!.id : experiment}`
}

/** The same for programs. A series is its last value, and its smallest and largest ones as `loss:min` and `loss:max`. */
export function groupsJson({ groups }: GroupListing): JsonObject {
  const columns = resultColumns(groups.map(group => ({ ...group, parameters: {} })))
  return {
    groups: groups.map(group => {
      const found = columns.map(({ of, value }) => [of, finiteJson(value(group))] as const)
      const metrics = Object.fromEntries(found.filter(([, value]) => value !== null))
      return {
        ...jsonRow([...factColumns, parameters], group),
        metrics,
        ...(group.soFar && { so_far: soFarJson(group.soFar) }),
      }
    }),
  }
}

/** The last values of what a group that runs has left. */
function soFarJson(soFar: Metrics): JsonObject {
  return Object.fromEntries(
    Object.entries(soFar).map(([name, metric]) => [name, finiteJson(numberOf(metric) ?? metric)]),
  )
}

/** The same as CSV, with a column for each parameter and metric. One with the name of another column gets a number. */
export function groupsCsv({ groups }: GroupListing): string {
  const results = resultColumns(groups)
  const names = uniqueNames(
    results.map(({ of }) => of),
    factColumns.map(nameOf),
  )
  return csvTable({
    columns: [...factColumns, ...results.map(({ typed }, at) => ({ key: names[at]!, value: typed }))],
    rows: groups,
  })
}

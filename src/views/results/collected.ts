import { stringify } from 'csv-stringify/sync'
import type { CollectedValue } from '../../domain/results/collected.js'
import type { GroupResult } from '../../domain/results/compare.js'
import { UserError } from '../../errors.js'
import type { Collected } from '../../operations/results/collect.js'
import { isoTime } from '../format/times.js'

interface Column {
  readonly name: string
  readonly value: (group: GroupResult) => CollectedValue
}

/** Rows that are turned into text at once. */
const atOnce = 500

/** The formats of tables, by the ends of names of files. */
const formats: Readonly<Record<string, (collected: Collected) => Iterable<string>>> = {
  *csv(collected: Collected) {
    const columns = columnsOf(collected)
    yield stringify([columns.map(({ name }) => name)])
    for (const groups of pieces(collected)) {
      yield stringify(
        groups.map(group => columns.map(({ value }) => value(group))),
        { cast: { boolean: String } },
      )
    }
  },
  *jsonl(collected: Collected) {
    const columns = columnsOf(collected)
    for (const groups of pieces(collected)) {
      yield groups
        .map(
          group =>
            `${JSON.stringify(Object.fromEntries(columns.map(({ name, value }) => [name, finite(value(group))])))}\n`,
        )
        .join('')
    }
  },
}

/** How a table is written to a file of that name, a piece of text for many rows. @throws UserError for an unknown format */
export function tableFormat(file: string): (collected: Collected) => Iterable<string> {
  const [, end = ''] = /\.(\w+)$/.exec(file) ?? []
  if (Object.hasOwn(formats, end)) return formats[end]!
  throw new UserError(
    `-o ${file}: the end of the name says no format`,
    `use one of .${Object.keys(formats).join(', .')}`,
  )
}

function* pieces({ groups }: Collected): Generator<readonly GroupResult[]> {
  for (let first = 0; first < groups.length; first += atOnce) yield groups.slice(first, first + atOnce)
}

function columnsOf({ columns, commits }: Collected): Column[] {
  return [
    { name: 'run', value: group => group.run },
    { name: 'group', value: group => group.index },
    { name: 'status', value: group => group.state },
    { name: 'cause', value: group => group.cause },
    { name: 'commit', value: group => commits.get(group.run) ?? null },
    { name: 'started', value: group => isoTime(group.started) },
    { name: 'duration_s', value: group => group.seconds },
    ...columns,
  ]
}

/** JSON has neither NaN nor infinity. */
function finite(value: CollectedValue): CollectedValue {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}

import type { CollectedValue } from '../../domain/results/collected.js'
import type { GroupResult } from '../../domain/results/compare.js'
import { UserError } from '../../errors.js'
import type { Collected } from '../../operations/results/collect.js'
import { isoTime } from '../format/times.js'
import { csvLines } from '../render/csv.js'

interface Column {
  readonly name: string
  readonly value: (group: GroupResult) => CollectedValue
}

/** Each call of the library takes as long as writing many rows. */
const rowsAtOnce = 500

/** The formats of tables, by the ends of names of files. */
const formats: Readonly<Record<string, (collected: Collected) => Iterable<string>>> = {
  *csv(collected) {
    const columns = columnsOf(collected)
    yield csvLines([columns.map(({ name }) => name)])
    for (let first = 0; first < collected.groups.length; first += rowsAtOnce) {
      const groups = collected.groups.slice(first, first + rowsAtOnce)
      yield csvLines(groups.map(group => columns.map(({ value }) => value(group))))
    }
  },
  *jsonl(collected) {
    const columns = columnsOf(collected)
    for (const group of collected.groups) {
      yield `${JSON.stringify(Object.fromEntries(columns.map(({ name, value }) => [name, finite(value(group))])))}\n`
    }
  },
}

/** How a table is written to a file of that name, in pieces. @throws UserError for an unknown format */
export function tableFormat(file: string): (collected: Collected) => Iterable<string> {
  const [, end = ''] = /\.(\w+)$/.exec(file) ?? []
  if (Object.hasOwn(formats, end)) return formats[end]!
  throw new UserError(
    `-o ${file}: the end of the name says no format`,
    `use one of .${Object.keys(formats).join(', .')}`,
  )
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

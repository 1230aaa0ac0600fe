import type { CollectedValue } from '../../domain/results/collected.js'
import { UserError } from '../../errors.js'
import type { Collected } from '../../operations/results/collect.js'
import { csvLines } from '../render/csv.js'

/** The formats of tables, by the ends of names of files. */
const formats: Readonly<Record<string, (collected: Collected) => Iterable<string>>> = {
  *csv({ columns, groups }) {
    yield csvLines([columns.map(({ name }) => name)])
    for (const some of groups()) yield csvLines(some.map(group => columns.map(({ value }) => value(group))))
  },
  *jsonl({ columns, groups }) {
    for (const some of groups()) {
      for (const group of some)
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

/** JSON has neither NaN nor infinity. */
function finite(value: CollectedValue): CollectedValue {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}

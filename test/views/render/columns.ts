import { Chalk } from 'chalk'
import fc from 'fast-check'
import type { Style } from '../../../src/views/format/style.js'
import type { Column } from '../../../src/views/model.js'

/** A row with one value of each kind. */
export interface Sample {
  readonly name: string
  readonly tags: readonly string[]
  readonly seconds: number | null
  readonly isDone: boolean
}

/** A column of each kind. */
export const columns: readonly Column<Sample>[] = [
  { key: 'name', title: 'Name', symbol: '🔖', value: ({ name }) => name },
  { key: 'duration', title: 'Duration', unit: 's', value: ({ seconds }) => seconds },
  { key: 'tags', title: 'Tags', value: ({ tags }) => tags },
  { key: 'flags_done', jsonPath: ['flags', 'done'], value: ({ isDone }) => isDone },
  {
    key: 'state',
    value: ({ isDone }) => isDone,
    text: ({ isDone }, { colour }) => (isDone ? colour.green('done') : ''),
  },
  { key: 'flags_named', jsonPath: ['flags', 'named'], value: ({ name }) => name !== '' },
]

/** A row of which only the name and the tags matter. */
export function sample(name: string, ...tags: string[]): Sample {
  return { name, tags, seconds: 1.5, isDone: true }
}

/** Columns of rows that are lists of texts: `c0`, `c1` … */
export function textColumns(count: number): Column<readonly string[]>[] {
  return Array.from({ length: count }, (_, index) => ({ key: `c${index}`, value: row => row[index] }))
}

/** Rows of one length, of texts as somebody may write them who means harm. */
export function hostileRows(width: number): fc.Arbitrary<string[][]> {
  const pieces = [
    ...['\r\n', '\x1b[2J', '\x1b[31m', '\x1b[1m', '\x1b', '\x9b', '\0', 'é', '日本', '🏁', '=1+1'],
    ...'ab ,;"\'\n\r\t',
  ]
  const text = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 8 })
  return fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 })
}

/** As in a pipe. */
export const plain: Style = { colour: new Chalk({ level: 0 }), symbol: () => '', columns: null }

/** As on a terminal of that width. */
export function terminal(width: number): Style {
  return { colour: new Chalk({ level: 1 }), symbol: symbol => `${symbol} `, columns: width }
}

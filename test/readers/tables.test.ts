import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { madeOnce } from '../e2e/made-once.js'
import { type Folder, projectWith } from '../e2e/project.js'
import { lacks, skips } from '../skips.js'

// More groups than 16: some writers encode longer columns in other ways.
const script = `cd "$QANAT_STORAGE_PATH"
case $(($6 % 4)) in 0) acc=0.1234567890123456 ;; 1) acc=Infinity ;; 2) acc=NaN ;; 3) acc=-1e-7 ;; esac
case $(($6 % 3)) in
  0) more='"flag": true, "note": "a, \\"b\\"\\n🏁"' ;; 1) more='"flag": false, "note": ""' ;; 2) more='"ok": 1' ;;
esac
printf '{"acc": %s, %s}' "$acc" "$more" >metrics.json
printf '{"id": 9007199254740993, "loss": NaN, "name": "a"}\\n{"id": 9007199254740992, "loss": 0.5, "name": "b"}\\n' >t.jsonl
`

const project = madeOnce(async () => {
  const folder = await projectWith(script)
  await folder.qanat('run', 'it', '-R', '--seed 0 18 1', '--lr', '0.1', '--id', '007')
  await folder.qanat('run', 'it', '--lr', 'auto', '--id', '7', '--seed', '18')
  for (const end of Object.keys(readers)) {
    await folder.qanat('collect', 'it', '-o', `.git/t.${end}`)
    await folder.qanat('collect', 'it', '2', '--files', 't.jsonl', '-o', `.git/f.${end}`)
  }
  return folder
})

type Value = string | number | boolean | null | { readonly time: number }
type Row = Record<string, Value>

const numbers: Value[] = [0.1234567890123456, 'inf', 'nan', -1e-7]

/** What the script was given and has written. */
async function truth(folder: Folder): Promise<Row[]> {
  const { groups } = await folder.json('groups', 'it', '--json')
  const started = new Map(
    (groups as { parameters: Record<string, string>; started: string }[]).map(group => [
      Number(group.parameters['--seed']),
      Date.parse(group.started),
    ]),
  )
  return Array.from({ length: 19 }, (_, seed) => ({
    ...{ run: seed < 18 ? 1 : 2, group: seed % 18, status: 'finished', cause: null, '--seed': seed },
    ...{ '--lr': seed < 18 ? '0.1' : 'auto', '--id': seed < 18 ? '007' : '7', acc: numbers[seed % 4]! },
    ...{
      flag: [true, false, null][seed % 3]!,
      note: ['a, "b"\n🏁', '', null][seed % 3]!,
      ok: seed % 3 === 2 ? 1 : null,
    },
    started: { time: started.get(seed)! },
  }))
}

/** The rows of files as a program reads them. */
function readBy(reader: string, folder: Folder, ...files: string[]): Row[][] {
  const program = inR.includes(reader) ? ['Rscript', 'read.R'] : [join(inject('readers'), 'python'), 'read.py']
  const words = [join(import.meta.dirname, program[1]!), reader, ...files.map(file => join(folder.path, file))]
  const read = execFileSync(program[0]!, words, { encoding: 'utf8', env: { ...process.env, TZ: 'Asia/Tokyo' } })
  return JSON.parse(read, (_, value) => (value?.double === undefined ? value : Number(value.double)))
}

const inR = ['R', 'readr', 'data.table', 'jsonlite', 'RSQLite']
const readers = {
  csv: ['pandas', 'polars', 'DuckDB', 'pyarrow', 'R', 'readr', 'data.table'],
  jsonl: ['pandas', 'polars', 'DuckDB', 'pyarrow', 'jsonlite'],
  parquet: ['pandas', 'fastparquet', 'polars', 'DuckDB', 'pyarrow'],
  sqlite: ['pandas', 'polars', 'RSQLite'],
}

/** What a format keeps of a value, as the reference of tables in files says, and what a reader makes of that. */
function kept(value: Value, name: string, end: string, reader: string): Value {
  const isNotFinite = value === 'nan' || value === 'inf'
  if (end === 'jsonl' && isNotFinite) return null
  if (typeof value === 'boolean' && end === 'sqlite') return Number(value)
  // In CSV nothing tells texts from numbers, and these read 007 as one. R takes only TRUE for true.
  if (end === 'csv' && name === '--id' && reader !== 'readr' && reader !== 'DuckDB') return 7
  // It leaves the quotes in a text of CSV doubled.
  if (reader === 'data.table' && typeof value === 'string') return value.replaceAll('"', '""')
  return end === 'csv' && typeof value === 'boolean' && reader === 'R' ? String(value) : value
}

/** Some readers have one value for what is missing and for NaN; many read an empty text of CSV as missing. */
function like(value: Value | undefined, end: string): Value {
  if (value === undefined || value === 'nan' || (value === '' && end === 'csv')) return null
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value)
  return isTime ? { time: Date.parse(value) } : value
}

const withoutR = skips('what R reads', lacks('Rscript'))
const pairs = Object.entries(readers)
  .flatMap(([end, names]) => names.map(name => [name, end] as const))
  .filter(([name]) => !withoutR || !inR.includes(name))

test.each(pairs)('%s reads from .%s what was written', async (reader, end) => {
  const folder = await project()
  const rows = await truth(folder)
  const expected = rows.map(row =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, like(kept(value, name, end, reader), end)])),
  )
  const [groups, own] = readBy(reader, folder, `.git/t.${end}`, `.git/f.${end}`)
  const found = groups!.map(row => Object.fromEntries(Object.keys(rows[0]!).map(name => [name, like(row[name], end)])))
  expect(found).toEqual(expected)
  // R makes doubles of long whole numbers.
  const isLong = !inR.includes(reader)
  expect(own!.map(({ id, name, loss }) => [isLong && String(id), name, like(loss, end)])).toEqual([
    [isLong && '9007199254740993', 'a', null],
    [isLong && '9007199254740992', 'b', 0.5],
  ])
})

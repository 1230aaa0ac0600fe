import { parse } from 'csv-parse/sync'
import { parse as parseYaml } from 'yaml'
import {
  type Columns,
  columnMetrics,
  documentMetrics,
  type ReadMetrics,
  type Row,
  tableMetrics,
  typedValue,
} from '../../domain/results/read-metrics.js'

/**
 * The metrics in the text of a file, by the end of its name.
 * @param step the column that counts its rows; null for the usual names
 * @throws Error of the parser if the text is not of that format
 */
export function parseMetricFile(name: string, text: string, step: string | null): ReadMetrics {
  const format = name.slice(name.lastIndexOf('.') + 1)
  const read = parseFormat(format, text, step)
  if (!losesDigits(format, text)) return read
  return { ...read, problems: [...read.problems, 'of whole numbers beyond 2^53, the last digits are lost'] }
}

/** Whole numbers that may not be exact; longer ones than the first are infinite. A longer pattern would need much memory. */
const wholeNumber = '\\d{310}|\\d{16,309}(?![\\w.])'
const inJson = new RegExp(`(?<![\\w.])(?:${wholeNumber})`, 'g')
/** A cell of a table that is one. */
const inTable = {
  csv: new RegExp(`(?<=(?:^|,)[ ]*"?[-+]?)(?:${wholeNumber})(?="?[ ]*(?:,|\\r?$)|\\d)`, 'gm'),
  tsv: new RegExp(`(?<=(?:^|\\t)[ ]*"?[-+]?)(?:${wholeNumber})(?="?[ ]*(?:\\t|\\r?$)|\\d)`, 'gm'),
}

/** Whether the text holds a whole number that is not exact as a number of JavaScript. */
function losesDigits(format: string, text: string): boolean {
  if (!/(?:^|[^\w.])\d{16}/.test(text)) return false
  const isInexact = (digits: string) => digits.length > 309 || isRounded(BigInt(digits))
  if (format === 'csv' || format === 'tsv') return text.match(inTable[format])?.some(isInexact) ?? false
  if (format === 'yaml' || format === 'yml') return holdsRounded(parseYaml(text, { ...yamlOptions, intAsBigInt: true }))
  for (const part of partsOfJson(text)) {
    if (!part.isString && part.text.match(inJson)?.some(isInexact)) return true
  }
  return false
}

function isRounded(whole: bigint): boolean {
  const number = Number(whole)
  return !Number.isFinite(number) || BigInt(number) !== whole
}

/**
 * Whether a whole number of a document loses digits.
 * @param seen what was looked at already: an alias may stand for something that contains it
 */
function holdsRounded(value: unknown, seen = new Set<unknown>()): boolean {
  if (typeof value === 'bigint') return isRounded(value)
  if (typeof value !== 'object' || value === null || seen.has(value)) return false
  seen.add(value)
  return Object.values(value).some(each => holdsRounded(each, seen))
}

const yamlOptions = { maxAliasCount: 100 }

function parseFormat(format: string, text: string, step: string | null): ReadMetrics {
  if (format === 'csv' || format === 'tsv') return readTable(text, format === 'csv' ? ',' : '\t', step)
  if (format === 'jsonl') return readLines(text, step)
  return documentMetrics(format === 'json' ? parseJson(text) : parseYaml(text, yamlOptions), step)
}

/** The rows of a table, and what was wrong with it. */
export interface TableRows {
  readonly rows: readonly Row[]
  readonly problems: readonly string[]
}

/**
 * The rows of a file whose name ends with .csv, .tsv or .jsonl.
 * @throws Error of the parser if the text is not of that format
 */
export function parseRows(name: string, text: string): TableRows {
  if (name.endsWith('.jsonl')) return rowsOfLines(text)
  return rowsOfTable(text, name.endsWith('.csv') ? ',' : '\t')
}

function readTable(text: string, delimiter: string, step: string | null): ReadMetrics {
  const { columns, problems } = columnsOfTable(text, delimiter)
  const read = columnMetrics(columns, step)
  return { ...read, problems: [...problems, ...read.problems] }
}

function rowsOfTable(text: string, delimiter: string): TableRows {
  const { columns, count, problems } = columnsOfTable(text, delimiter)
  const rows = Array.from({ length: count }, (_, at) => {
    // Not by Object.fromEntries, which takes several times as long: there may be 100,000 rows. But in a usual object, an
    // assignment to the name __proto__ would set no cell.
    const row: Record<string, unknown> = columns.has('__proto__') ? Object.create(null) : {}
    for (const [name, cells] of columns) row[name] = cells[at]
    return row
  })
  return { rows, problems }
}

/** Rows with more or fewer cells than there are columns are half-written. */
function columnsOfTable(text: string, delimiter: string) {
  // Not read as records first, which takes twice as long: there may be 100,000 rows.
  const records = recordsOf(text, delimiter)
  const names = [...(records.next().value ?? [])]
  const columns = names.map((): ReturnType<typeof typedValue>[] => [])
  let [count, broken] = [0, 0]
  for (const record of records) {
    if (record.length !== names.length) broken++
    else {
      for (let place = 0; place < names.length; place++) columns[place]![count] = typedValue(record[place]!)
      count++
    }
  }
  const isFirst = (name: string, place: number) => names.indexOf(name) === place
  const byName: Columns = new Map(
    columns.flatMap((cells, at) => (isFirst(names[at]!, at) ? [[names[at]!.trim(), cells]] : [])),
  )
  const twice = names.find((name, at) => !isFirst(name, at))
  const problems = [
    ...(broken > 0 ? [brokenRows(broken)] : []),
    ...(twice !== undefined ? [`the column '${twice}' is there twice, and the first one counts`] : []),
  ]
  return { columns: byName, count, problems }
}

/** The cells of each line that is not empty, in a list that the next line may overwrite. Without quotes, a cell is what is between delimiters, which takes a tenth of the time. */
function* recordsOf(text: string, delimiter: string): Generator<string[], undefined> {
  if (/["\r]/.test(text)) {
    yield* parse(text, { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true })
    return
  }
  const cells: string[] = []
  let begin = 0
  while (begin < text.length) {
    const found = text.indexOf('\n', begin)
    const end = found < 0 ? text.length : found
    if (end > begin) {
      splitInto(cells, text.slice(begin, end), delimiter)
      yield cells
    }
    begin = end + 1
  }
}

/** Splits a line without a new list: there may be 100,000 lines. */
function splitInto(cells: string[], line: string, delimiter: string): void {
  let [count, begin] = [0, 0]
  for (let end = line.indexOf(delimiter); end >= 0; end = line.indexOf(delimiter, begin)) {
    cells[count++] = line.slice(begin, end)
    begin = end + 1
  }
  cells[count++] = line.slice(begin)
  cells.length = count
}

function brokenRows(count: number): string {
  return count === 1 ? '1 row is not whole' : `${count} rows are not whole`
}

function readLines(text: string, step: string | null): ReadMetrics {
  const { rows, problems } = rowsOfLines(text)
  const read = tableMetrics(rows, step)
  return { ...read, problems: [...problems, ...read.problems] }
}

/** A line that is no mapping, such as a last one that is half-written, is left out. */
function rowsOfLines(text: string): TableRows {
  const rows: Row[] = []
  const broken: number[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const row = rowIn(line)
    if (row === null) broken.push(at + 1)
    else rows.push(row)
  }
  const problem = `line ${broken[0]}${broken.length > 1 ? ` and ${broken.length - 1} others hold` : ' holds'} no mapping of JSON`
  return { rows, problems: broken.length > 0 ? [problem] : [] }
}

function rowIn(line: string): Row | null {
  try {
    const row = parseJson(line)
    return typeof row === 'object' && row !== null && !Array.isArray(row) ? (row as Row) : null
  } catch {
    return null
  }
}

/** Python writes NaN and Infinity, which JSON does not have. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const quoted = Array.from(partsOfJson(text), part =>
      part.isString ? part.text : part.text.replace(/-?\bInfinity\b|\bNaN\b/g, word => `"${word}"`),
    ).join('')
    if (quoted === text) throw error
    return JSON.parse(quoted)
  }
}

/** The strings of JSON, and what is between them. A regular expression would need a stack as long as the longest string. */
function* partsOfJson(text: string): Generator<{ readonly text: string; readonly isString: boolean }> {
  let at = 0
  while (at < text.length) {
    const opening = text.indexOf('"', at)
    const start = opening < 0 ? text.length : opening
    yield { text: text.slice(at, start), isString: false }
    at = opening < 0 ? text.length : endOfString(text, opening)
    yield { text: text.slice(start, at), isString: true }
  }
}

/** The place behind the closing quote. @param opening the place of the opening one */
function endOfString(text: string, opening: number): number {
  for (let at = text.indexOf('"', opening + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text[before] === '\\') before--
    if ((at - before) % 2 === 1) return at + 1
  }
  return text.length
}

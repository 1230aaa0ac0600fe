import { documentMetrics, RowTable, rowMetrics } from '../../domain/results/reading/document.js'
import { noLine, type Problem, type ReadMetrics } from '../../domain/results/reading/found.js'
import { isMapping, type Row } from '../../domain/results/reading/shapes.js'

/** The metrics in a document of JSON. @throws Error of the parser */
export function readJson(text: string, step: string | null): ReadMetrics {
  return documentMetrics(parseJson(text), step)
}

/** The metrics in JSON Lines. A line that is no mapping, such as a last one that is half-written, is left out. */
export function readJsonLines(text: string, step: string | null): ReadMetrics {
  const lines: Lines = { broken: [], lastRow: 0 }
  return rowMetrics(rowsInLines(text, lines), step, () => ({
    problems: brokenLines(lines),
    isCut: lines.broken.filter(line => line > lines.lastRow).length > (text.endsWith('\n') ? 0 : 1),
    lineOf: row => lineOfRow(text, row),
  }))
}

/** The same for lines of which more come. */
export function growingLines(step: string | null) {
  const table = new RowTable()
  let brokenLast = 0
  return {
    add(text: string): number {
      const lines: Lines = { broken: [], lastRow: 0 }
      for (const row of rowsInLines(text, lines)) table.add(row)
      brokenLast = (lines.lastRow > 0 ? 0 : brokenLast) + lines.broken.filter(line => line > lines.lastRow).length
      return text.length
    },
    metrics: (): ReadMetrics => table.metrics(step, { problems: [], isCut: brokenLast > 0, lineOf: noLine }),
  }
}

/** Whether a text has a mapping of JSON in its first line, and more below it. */
export function isJsonLines(text: string): boolean {
  const start = text.search(/\S/)
  const end = text.indexOf('\n', start)
  return (
    text[start] === '{' && end > 0 && /\S/.test(text.slice(end, end + 100)) && rowIn(text.slice(start, end)) !== null
  )
}

/** Whether a text begins with a list, or with a bracket alone in its line: its first line is no mapping. */
export function isJsonOverLines(text: string): boolean {
  return /^\s*(?:\[|\{\s*[\r\n])/.test(text)
}

/** What is known of the lines of a file, counted from 1. */
export interface Lines {
  /** Those that hold no mapping. */
  readonly broken: number[]
  lastRow: number
}

/** The rows of JSON Lines. @param lines gets what is known once all are read */
export function* rowsInLines(text: string, lines: Lines): Generator<Row> {
  let begin = 0
  for (let number = 1; begin < text.length; number++) {
    const found = text.indexOf('\n', begin)
    const end = found < 0 ? text.length : found
    const line = text.slice(begin, end)
    begin = end + 1
    if (line.trim() === '') continue
    const row = rowIn(line)
    if (row === null) lines.broken.push(number)
    else {
      lines.lastRow = number
      yield row
    }
  }
}

/** What is wrong with lines that hold no mapping. */
export function brokenLines({ broken }: Lines): Problem[] {
  const [line] = broken
  if (line === undefined) return []
  return [{ text: `${broken.length === 1 ? '1 line holds' : `${broken.length} lines hold`} no mapping of JSON`, line }]
}

/** Only where something is wrong with a row: its line is not kept. */
function lineOfRow(text: string, row: number): number {
  const lines: Lines = { broken: [], lastRow: 0 }
  const rows = rowsInLines(text, lines)
  for (let at = 0; at <= row; at++) rows.next()
  return lines.lastRow
}

function rowIn(line: string): Row | null {
  try {
    const row = parseJson(line)
    return isMapping(row) ? row : null
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
export function* partsOfJson(text: string): Generator<{ readonly text: string; readonly isString: boolean }> {
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

import { typedValue } from '../../domain/results/reading/values.js'
import { parseRows, type TableRows } from './parse.js'

/** A text of JSON, in which nothing is a number, or a whole number that a double may not hold. */
const inJson = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\w.+-])[-+]?\d{16,}(?![\w.])/g

/**
 * The rows of a file as {@link parseRows} gives them, but whole numbers that a double does not hold are not rounded: those of
 * 64 bits are bigints, longer ones are texts, and so are those of a table that begin with 0, such as the name 007. What is nested
 * and has such numbers is JSON text.
 * @throws Error of the parser if the text is not of that format
 */
export function exactRows(name: string, text: string): TableRows {
  if (!name.endsWith('.jsonl')) return parseRows(name, text, exactCell)
  if (!/(?:^|[^\w.])\d{16}/.test(text)) return parseRows(name, text)
  // The parser would round them: it gets texts, with a mark that is nowhere in the file.
  let mark = '#'
  while (text.includes(mark)) mark += '#'
  const marked = text.replace(inJson, found => (found.startsWith('"') ? found : `"${mark}${found}"`))
  const { rows, problems } = parseRows(name, marked)
  return {
    rows: rows.map(row =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, exactValue(value, mark)])),
    ),
    problems,
  }
}

function exactCell(text: string): unknown {
  const value = typedValue(text)
  if (typeof value !== 'number') return value
  if (Math.abs(value) < 1e15) return /^\s*0\d+\s*$/.test(text) ? text : value
  const word = text.trim()
  return /^[-+]?\d+$/.test(word) ? wholeNumber(word) : value
}

function exactValue(value: unknown, mark: string): unknown {
  if (typeof value === 'object' && value !== null) {
    const text = JSON.stringify(value)
    return text.includes(mark) ? unmarked(text.replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1'), mark) : value
  }
  if (typeof value !== 'string' || !value.startsWith(mark)) return value
  const digits = unmarked(value, mark)
  return /^[-+]?\d+$/.test(digits) ? wholeNumber(digits) : digits
}

function wholeNumber(digits: string): number | bigint | string {
  const whole = BigInt(digits.replace('+', ''))
  if (BigInt(Number(whole)) === whole) return Number(whole)
  return BigInt.asIntN(64, whole) === whole ? whole : digits
}

function unmarked(text: string, mark: string): string {
  return text.replaceAll(mark, '')
}

import { parseRows, type TableRows } from './parse.js'

/** Whole numbers that a double may not hold, outside of longer words and of decimals. */
const long = '(?<![\\w.+-])[-+]?\\d{16,}(?![\\w.])'
const inTable = new RegExp(long, 'g')
/** The same in JSON, or a text, in which nothing is a number. */
const inJson = new RegExp(`"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"|${long}`, 'g')

/**
 * The rows of a file as {@link parseRows} gives them, but whole numbers that a double does not hold are not rounded: those of
 * 64 bits are bigints, longer ones are texts. What is nested and has such numbers is JSON text.
 * @throws Error of the parser if the text is not of that format
 */
export function exactRows(name: string, text: string): TableRows {
  if (!/(?:^|[^\w.])\d{16}/.test(text)) return parseRows(name, text)
  // The parser would round them: it gets texts, with a mark that is nowhere in the file.
  let mark = '#'
  while (text.includes(mark)) mark += '#'
  const marked = name.endsWith('.jsonl')
    ? text.replace(inJson, found => (found.startsWith('"') ? found : `"${mark}${found}"`))
    : text.replace(inTable, `${mark}$&`)
  const { rows, problems } = parseRows(name, marked)
  return {
    rows: rows.map(row =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [unmarked(key, mark), exactValue(value, mark)])),
    ),
    problems: problems.map(({ text: problem, line }) => ({ text: unmarked(problem, mark), line })),
  }
}

function exactValue(value: unknown, mark: string): unknown {
  if (typeof value === 'object' && value !== null) {
    const text = JSON.stringify(value)
    return text.includes(mark) ? unmarked(text.replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1'), mark) : value
  }
  if (typeof value !== 'string') return value
  const isNumber = new RegExp(`^${mark}[-+]?\\d+$`).test(value.trim())
  return isNumber ? wholeNumber(unmarked(value, mark).trim()) : unmarked(value, mark)
}

function wholeNumber(digits: string): number | bigint | string {
  const whole = BigInt(digits.replace('+', ''))
  if (BigInt(Number(whole)) === whole) return Number(whole)
  return BigInt.asIntN(64, whole) === whole ? whole : digits
}

function unmarked(text: string, mark: string): string {
  return text.replaceAll(mark, '')
}

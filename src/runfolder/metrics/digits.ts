import { parse as parseYaml } from 'yaml'
import { partsOfJson } from './json.js'

/** Whole numbers that may not be exact; longer ones than the first are infinite. A longer pattern would need much memory. */
const wholeNumber = '\\d{310}|\\d{16,309}(?![\\w.])'
const inJson = new RegExp(`(?<![\\w.])(?:${wholeNumber})`, 'g')
/** A cell of a table that is one. */
const inTable = {
  csv: new RegExp(`(?<=(?:^|,)[ ]*"?[-+]?)(?:${wholeNumber})(?="?[ ]*(?:,|\\r?$)|\\d)`, 'gm'),
  tsv: new RegExp(`(?<=(?:^|\\t)[ ]*"?[-+]?)(?:${wholeNumber})(?="?[ ]*(?:\\t|\\r?$)|\\d)`, 'gm'),
}

/** Whether the text holds a whole number that is not exact as a number of JavaScript. */
export function losesDigits(format: string, text: string): boolean {
  if (!/(?:^|[^\w.])\d{16}/.test(text)) return false
  const isInexact = (digits: string) => digits.length > 309 || isRounded(BigInt(digits))
  if (format === 'csv' || format === 'tsv') return text.match(inTable[format])?.some(isInexact) ?? false
  if (format === 'yaml' || format === 'yml')
    return holdsRounded(parseYaml(text, { maxAliasCount: 100, logLevel: 'error', intAsBigInt: true }))
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

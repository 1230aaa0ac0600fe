import { orElse, UserError } from '../../errors.js'
import { readSort } from '../results/ordered.js'
import { splitWords } from '../text/words.js'
import { bestHint, hasWord, type MetricCondition, parseCondition } from './run-filter.js'

/** Whether a row matches. */
type Keeps<Row> = (row: Row) => boolean

/** What can be asked of the rows of a list. */
export interface LineFields<Row> {
  /** What is written as `name:value,value`; a row matches if it matches one of the values. */
  readonly fields: Readonly<Record<string, (value: string) => Keeps<Row>>>
  /** `--lr:0.1`; any parameter for null. */
  readonly parameter: (option: string | null, value: string) => Keeps<Row>
  /** `acc>0.9` */
  readonly metric: (condition: MetricCondition) => Keeps<Row>
  /** Words without a name are looked for in this text. */
  readonly text: (row: Row) => string
  /** Names by which the list can be sorted, besides metrics. */
  readonly sortings: readonly string[]
  /** The metrics that there are; null if they are not known. */
  readonly metrics: readonly string[] | null
}

/** A filter line as it was understood. */
export interface FilterLine<Row> {
  readonly keeps: Keeps<Row>
  readonly keepsAll: boolean
  /** Whether it names a metric. */
  readonly measures: boolean
  /** By what to sort, with a `-` before it for the reverse order; null for the usual order. */
  readonly sort: string | null
}

/**
 * Reads a filter line such as `status:failed,lost --lr:0.1 acc>0.9 sort:-acc`. All of its words must match; values between
 * commas are alternatives, as are several words for the same name.
 * @throws UserError that names the word and says what there is
 */
export function readFilterLine<Row>(text: string, known: LineFields<Row>): FilterLine<Row> {
  const named = new Map<string, Keeps<Row>[]>()
  const all: Keeps<Row>[] = []
  let sort: string | null = null
  let measures = false
  for (const { word, bare } of wordsOf(text)) {
    const [, name = '', value = ''] = /^([a-z]+):(.*)$/s.exec(word) ?? []
    if (name === 'sort') {
      sort = checkedSorting(value, known)
      measures ||= !known.sortings.includes(readSort(value).by)
    } else if (name === 'param') all.push(anyOf(value, each => known.parameter(null, each)))
    else if (Object.hasOwn(known.fields, name))
      named.set(name, [...(named.get(name) ?? []), anyOf(value, known.fields[name]!)])
    else if (/^--?[^\d\s]/.test(word)) all.push(parameterOf(word, known))
    else if (/[<>=]/.test(bare)) {
      all.push(known.metric(checkedCondition(word, known)))
      measures = true
    } else all.push(row => hasWord(known.text(row), word))
  }
  for (const alternatives of named.values()) all.push(row => alternatives.some(keeps => keeps(row)))
  return { keeps: row => all.every(keeps => keeps(row)), keepsAll: all.length === 0, measures, sort }
}

/** Texts in quotes, and escaped characters. */
const quoted = /'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/.source
const quotedOrOperator = new RegExp(`${quoted}|\\s*(!=|>=|<=|>|<|=)\\s*`, 'g')
const wordInLine = new RegExp(`(?:${quoted}|[^ \\t\\n])+`, 'g')

/** The words of a line, each also without what is in quotes. There may be blanks around an operator. */
function wordsOf(text: string): { word: string; bare: string }[] {
  const compact = text.replace(quotedOrOperator, (found, operator?: string) => operator ?? found)
  return [...compact.matchAll(wordInLine)].flatMap(([typed]) =>
    splitWords(typed).map(word => ({ word, bare: typed.replace(new RegExp(quoted, 'g'), '') })),
  )
}

/** A row matches if it matches one of the values between commas, or the whole text, which may contain a comma itself. */
function anyOf<Row>(text: string, read: (value: string) => Keeps<Row>): Keeps<Row> {
  const parts = text.split(',').filter(part => part !== '')
  const whole = parts.length > 1 ? orElse(() => [read(text)], []) : []
  const readings = [...whole, ...parts.map(read)]
  return row => readings.some(keeps => keeps(row))
}

/** `--lr:0.1,0.2`, `--lr=0.1`, or `--lr` for a flag. */
function parameterOf<Row>(word: string, known: LineFields<Row>): Keeps<Row> {
  const [, option = word, value = ''] = /^(--?[^:=\s]+)[:=](.*)$/s.exec(word) ?? []
  return value === '' ? known.parameter(option, '') : anyOf(value, each => known.parameter(option, each))
}

function checkedCondition<Row>(word: string, { metrics }: LineFields<Row>): MetricCondition {
  const condition = parseCondition(word)
  if (condition === null) throw new UserError(`${word}: not a condition`, 'write a metric and a number: acc>0.9')
  if (metrics === null || metrics.includes(condition.metric)) return condition
  throw new UserError(`${word}: no experiment says when ${condition.metric} is best`, bestHint(metrics))
}

function checkedSorting<Row>(value: string, { sortings, metrics }: LineFields<Row>): string {
  const name = readSort(value).by
  if (name !== '' && (metrics === null || sortings.includes(name) || metrics.includes(name))) return value
  throw new UserError(`sort:${value}: not a column`, `use one of ${[...sortings, ...(metrics ?? [])].join(', ')}`)
}

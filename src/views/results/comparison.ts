import { groupBy } from '../../domain/group-by.js'
import { resamples } from '../../domain/results/bootstrap.js'
import { type CellValue, cellInterval } from '../../domain/results/cell-value.js'
import type { MetricChoice } from '../../domain/results/compare.js'
import { ofNoCell } from '../../domain/results/comparison/columns.js'
import { measuredText } from '../../domain/results/number-text.js'
import { confidence, type IntervalMethod } from '../../domain/results/statistics.js'
import { uniqueNames } from '../../domain/text/unique-names.js'
import type { ComparedCell, ExperimentComparison } from '../../operations/results/compare/compare-experiment.js'
import type { Style } from '../format/style.js'
import { duration } from '../format/times.js'
import { type Column, nameOf } from '../model.js'
import { csvTable } from '../render/csv.js'
import { finiteJson, type JsonObject } from '../render/json.js'
import { latexTable } from '../render/latex.js'
import { markdownTable } from '../render/markdown.js'
import { groupLink, pageTable, runLink } from '../render/page.js'
import { terminalTable } from '../render/terminal.js'
import {
  gridRemarks,
  headline,
  intervalRemark,
  missingText,
  notCountedJson,
  remarks,
  unmeasuredRemark,
} from './comparison-remarks.js'
import { shownPart } from './shown-cells.js'
import { soFarText } from './so-far.js'

type CellColumn = Column<ComparedCell>

/** Which end of a metric is the better one. */
export const arrows = { max: ' ↑', min: ' ↓' } as const

/** More rows than this are not shown on a terminal unless they are asked for. */
const shownRows = 50

/** A comparison for people: what is the same for all cells, the cells that have a finished group, and remarks. */
export function comparisonText(
  style: Style,
  comparison: ExperimentComparison,
  all: boolean,
  ci: IntervalMethod | null,
): string {
  const shown = shownPart(comparison)
  const { cells } = shown
  const rows = all ? cells : cells.slice(0, shownRows)
  const table = { columns: columnsForPeople(comparison, shown.columns, rows, ci), rows }
  return [
    [comparison.experiment, ...headline(comparison, shown)].join(' · '),
    ...(rows.length > 0 ? [terminalTable(table, style, 'whole').replace(/^/gm, '  ')] : []),
    ...[
      ...(ci ? [intervalRemark(ci)] : []),
      ...remarks(comparison, cells.length, rows.length),
      ...unmeasuredRemark(shown),
      ...gridRemarks(comparison),
    ].map(line => `  ${line}`),
  ].join('\n')
}

/** The same for a page in the browser, with some of the rows. Every number is there in full, too, as in JSON. */
export function comparisonPage(
  comparison: ExperimentComparison,
  ci: IntervalMethod | null,
  first: number,
  count: number,
) {
  const shown = shownPart(comparison)
  const { cells } = shown
  const rows = cells.slice(first, first + count)
  const { metrics, otherMetrics, left } = comparison
  const by = comparison.by.filter(name => shown.columns.has(name))
  const varying = comparison.varying.filter(name => by.includes(name) || !comparison.by.includes(name))
  const table = pageTable({ columns: columnsForPeople(comparison, shown.columns, rows, ci), rows }, cell => ({
    link: cellLink(cell),
    ...(cell.groups.length === 1 && { group: groupIds(cell)[0]! }),
    isBest: cell.best,
    details: metricsJson(cell, metrics, ci),
  }))
  return {
    headline: headline(comparison, shown).join(' · '),
    remarks: [...remarks({ ...comparison, otherMetrics: [] }, cells.length, cells.length), ...unmeasuredRemark(shown)],
    ...{ table, total: cells.length, by, varying, hasRepeats: left.size > 0 },
    onlyAsked: varying.filter(name => ofNoCell.includes(name)),
    metrics: metrics.map(titleOf),
    otherMetrics,
    sortable: [...by, ...metrics.filter(({ statistic }) => statistic === 'last').map(({ name }) => name)],
  }
}

function cellLink({ groups, expected, missing }: ComparedCell): string {
  const { run, index } = groups.at(-1) ?? [...missing.values()].flat().at(-1)!
  return expected === 1 || groups.length === 1 ? groupLink(run, index) : runLink(run)
}

/** All cells in Markdown. */
export function comparisonMarkdown(comparison: ExperimentComparison, ci: IntervalMethod | null): string {
  const { by, cells } = comparison
  const columns = columnsForPeople({ ...comparison, isLive: false }, new Set(by), cells, ci)
  return [markdownTable({ columns, rows: cells }), ...tableNotes(comparison, ci)].join('\n\n')
}

/** All cells in LaTeX. */
export function comparisonLatex(comparison: ExperimentComparison, ci: IntervalMethod | null): string {
  const columns = [...parameterColumns(comparison), ...metricColumns({ ...comparison, isLive: false }, ci)]
  const notes = tableNotes(comparison, ci).map(text => `% ${text}`)
  return [latexTable({ columns, rows: comparison.cells }), ...notes].join('\n')
}

function tableNotes({ origins }: ExperimentComparison, ci: IntervalMethod | null): string[] {
  return [...origins, ...(ci ? [intervalRemark(ci)] : [])]
}

/** All cells in CSV, a column for each number. */
export function comparisonCsv(comparison: ExperimentComparison, ci: IntervalMethod | null): string {
  return csvTable({ columns: csvColumns(comparison, ci), rows: comparison.cells })
}

/** Which parameters and metrics are in a column of another name in CSV. */
export function renamedRemarks(comparison: ExperimentComparison, ci: IntervalMethod | null): string[] {
  return csvColumns(comparison, ci)
    .filter(({ key, of }) => key !== of)
    .map(({ key, of }) => `${of} is in the column ${key}, since its own name is taken`)
}

/** A parameter or a metric that has the name of another column, such as `acc_sd` or `best`, gets a number. */
function csvColumns(comparison: ExperimentComparison, ci: IntervalMethod | null) {
  const parameters = parameterColumns(comparison)
  const metrics = comparison.metrics.map((metric, at) => numberColumns(metric, at, ci))
  const others: CellColumn[] = [
    { key: 'time', unit: 's', value: cell => cell.time?.mean ?? null },
    { key: 'groups', value: groupsText },
    { key: 'expected', value: cell => cell.expected },
    { key: 'missing', value: missingText },
    { key: 'best', value: cell => cell.best },
  ]
  const means = metrics.map(([mean]) => mean!)
  const namedFirst = [...others, ...metrics.flatMap(([, ...more]) => more), ...parameters, ...means]
  const names = uniqueNames(namedFirst.map(nameOf))
  const keys = new Map(namedFirst.map((column, at) => [column, names[at]!]))
  const columns = [...parameters, ...metrics.flat(), ...others]
  return columns.map(column => ({ key: keys.get(column)!, of: nameOf(column), value: column.value }))
}

/** A comparison for programs. */
export function comparisonJson(comparison: ExperimentComparison, ci: IntervalMethod | null): JsonObject {
  const { experiment, runs, left, origins, notes, constants, by, over, metrics, cells, grid, isLive } = comparison
  return {
    experiment,
    runs: runs.map(({ id }) => id),
    not_counted: notCountedJson(left),
    notes: [...origins, ...notes],
    constants,
    parameters: by,
    over,
    metrics: metrics.map(titleOf),
    ...(ci && {
      ci: { level: confidence, ...ci, ...(ci.method === 'bootstrap' && { kind: 'percentile', resamples }) },
    }),
    ...(grid && { grid: gridJson(grid) }),
    cells: cells.map(cell => ({
      parameters: Object.fromEntries(by.map((name, at) => [name, cell.parameters[at]])),
      metrics: metricsJson(cell, metrics, ci),
      ...(isLive && { so_far: soFarJson(cell, metrics) }),
      time_s: cell.time?.mean ?? null,
      groups: groupIds(cell),
      expected: cell.expected,
      missing: Object.fromEntries([...cell.missing].map(([cause, groups]) => [cause, groups.length])),
      best: cell.best,
    })),
  }
}

function gridJson({ file, cells, notRun, leftOut, command }: NonNullable<ExperimentComparison['grid']>): JsonObject {
  return { file, groups: cells, not_run: notRun, left_out: leftOut, command }
}

function metricsJson(cell: ComparedCell, metrics: readonly MetricChoice[], ci: IntervalMethod | null): JsonObject {
  return Object.fromEntries(metrics.map((metric, at) => [titleOf(metric), valueJson(cell, metric, at, ci)]))
}

/** What groups that run have left of each metric without a value. */
function soFarJson({ soFar }: ComparedCell, metrics: readonly MetricChoice[]): JsonObject {
  const found = metrics.map((metric, at) => [titleOf(metric), soFar[at]!.map(finiteJson)] as const)
  return Object.fromEntries(found.filter(([, numbers]) => numbers.length > 0))
}

function valueJson(cell: ComparedCell, metric: MetricChoice, at: number, ci: IntervalMethod | null): unknown {
  const value = cell.values[at]!
  if (value === null || !('mean' in value)) return value
  const { mean, sd, count, min, max } = value
  const interval = ci && { ci: cellInterval(cell, metric, ci)?.map(finiteJson) ?? null }
  const numbers = { mean, sd, count, min, max, ...interval }
  return Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, finiteJson(number)]))
}

/** The columns of a comparison, the last one for what is missing in these rows. */
function columnsForPeople(
  comparison: ExperimentComparison,
  columns: ReadonlySet<string>,
  rows: readonly ComparedCell[],
  ci: IntervalMethod | null,
): CellColumn[] {
  const remarkText = (cell: ComparedCell) =>
    [missingText(cell), cell.best ? '← best' : ''].filter(text => text !== '').join('   ')
  const shown = [
    ...parameterColumns(comparison).filter(({ key }) => columns.has(key)),
    ...metricColumns(comparison, ci),
  ]
  const time = shown.some(({ key }) => key === 'time') ? 'duration' : 'time'
  return [
    ...shown,
    { key: time, value: ({ time }) => time?.mean ?? null, text: ({ time }) => duration(time && time.mean * 1000) },
    ...(rows.some(cell => remarkText(cell) !== '') ? [{ key: 'remark', title: '', value: remarkText }] : []),
  ]
}

function parameterColumns({ by }: ExperimentComparison): CellColumn[] {
  return by.map((name, at) => ({
    key: name,
    // A flag has no value; an empty cell stands for no flag.
    value: cell => (cell.parameters[at] === '' ? true : (cell.parameters[at] ?? null)),
    text: cell => {
      const value = cell.parameters[at]
      if (value === null || value === undefined) return '–'
      return value === '' ? '✓' : value.replaceAll('\n', '⏎')
    },
  }))
}

function metricColumns(
  { metrics, over, cells, isLive }: ExperimentComparison,
  ci: IntervalMethod | null,
): CellColumn[] {
  const isAveraged = over.length > 0 || cells.some(cell => cell.expected > 1)
  return metrics.map((metric, at) => ({
    key: titleOf(metric),
    title: titleOf(metric) + (metric.direction === null ? '' : arrows[metric.direction]),
    value: cell => {
      const value = cell.values[at]!
      return value !== null && 'mean' in value ? value.mean : null
    },
    text: cell => {
      const value = cell.values[at]!
      const soFar = isLive && value === null ? cell.soFar[at]! : []
      return soFar.length > 0 ? soFarText(soFar) : cellText(value, isAveraged, ci && cellInterval(cell, metric, ci))
    },
  }))
}

/** `0.972 ± 0.004 (10)`, with the interval if it is asked for: `0.972 [0.970, 0.975] (10)`. */
function cellText(value: CellValue, isAveraged: boolean, interval: readonly [number, number] | null): string {
  if (value === null) return '–'
  if (!('mean' in value)) return value.join(', ')
  const { mean, sd, count } = value
  const text = interval ? intervalText(mean, interval) : measuredText(mean, sd)
  return isAveraged ? `${text} (${count})` : text
}

/** With the digits that the half width of the interval allows. */
function intervalText(mean: number, [low, high]: readonly [number, number]): string {
  const digits = (value: number) => measuredText(value, high / 2 - low / 2).split(' ± ')[0]!
  return `${digits(mean)} [${digits(low)}, ${digits(high)}]`
}

function numberColumns(metric: MetricChoice, at: number, ci: IntervalMethod | null): CellColumn[] {
  const title = titleOf(metric)
  const number = (name: 'mean' | 'sd' | 'count' | 'min' | 'max') => (cell: ComparedCell) => {
    const value = cell.values[at]!
    if (value === null || 'mean' in value) return value?.[name] ?? null
    return name === 'mean' ? value.join(' ') : null
  }
  let last: { cell: ComparedCell; interval: ReturnType<typeof cellInterval> } | null = null
  // Both ends are in columns of their own, and a bootstrap takes time.
  const end = (method: IntervalMethod, place: number) => (cell: ComparedCell) => {
    if (last?.cell !== cell) last = { cell, interval: cellInterval(cell, metric, method) }
    return last.interval?.[place] ?? null
  }
  return [
    { key: title, value: number('mean') },
    ...(['sd', 'count', 'min', 'max'] as const).map(name => ({ key: `${title}_${name}`, value: number(name) })),
    ...(ci ? (['low', 'high'] as const).map((name, at) => ({ key: `${title}_ci_${name}`, value: end(ci, at) })) : []),
  ]
}

function titleOf({ name, statistic }: MetricChoice): string {
  return statistic === 'last' ? name : `${name}:${statistic}`
}

/** `run 1: 0 10; run 2: 3`. Most readers would take 2.10 for the number 2.1. */
function groupsText({ groups }: ComparedCell): string {
  const byRun = groupBy(groups, ({ run }) => run)
  return Array.from(byRun, ([run, those]) => `run ${run}: ${those.map(({ index }) => index).join(' ')}`).join('; ')
}

function groupIds({ groups }: ComparedCell): string[] {
  return groups.map(({ run, index }) => `${run}.${index}`)
}

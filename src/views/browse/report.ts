import { notKnown } from '../../domain/environments/environment.js'
import type { RunSource } from '../../domain/made-from.js'
import type { GroupResult } from '../../domain/results/compare.js'
import { valueText } from '../../domain/results/number-text.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import type { ExperimentPlot } from '../../operations/results/plot/plot-experiment.js'
import type { ExperimentReport } from '../../operations/results/report-experiment.js'
import { shownRows } from '../../pages/table.js'
import { duration, moment } from '../format/times.js'
import type { Column, Fact } from '../model.js'
import { pageTable } from '../render/page.js'
import { comparisonPage } from '../results/comparison.js'
import { runsText } from '../results/comparison-remarks.js'
import { parameterText } from '../results/pair.js'
import { plotHeadline, plotRemarks } from '../results/plotted.js'
import { runColumns } from '../runs/columns.js'
import { durationOf } from '../runs/state.js'
import { failuresPage } from './pages.js'

/** More rows of a comparison are left out. */
export const mostCells = 1_000
/** More values of a parameter are counted. */
const mostValues = 12

/** A plot in SVG for a light ground, and the words after `qanat plot` that draw it. */
export interface DrawnPlot {
  readonly svg: string
  readonly command: readonly string[]
  readonly plotted: ExperimentPlot
}

/** What a report shows. @param now milliseconds since the epoch @param sources of its runs */
export function reportPage(
  report: ExperimentReport,
  plots: readonly DrawnPlot[],
  now: number,
  sources: readonly RunSource[],
) {
  const { experiment, runs, groups } = report
  const { table, total, remarks } = comparisonPage(report.comparison, null, 0, mostCells)
  const left = total - table.rows.length
  return {
    experiment: experiment.name,
    total: groups.length,
    description: experiment.description,
    headline: `${groups.length} groups of ${runsText(runs)}, as of ${moment(now)}`,
    parameters: parametersOf(report),
    remarks: [...(left > 0 ? [`${left} more rows are left out here`] : []), ...remarks],
    plots: plots.map(plot => plotOf(plot, report.comparison)),
    failures: failuresOf(report),
    provenance: provenanceOf(report, sources),
    tables: {
      runs: pageTable({ columns: columnsOfRuns, rows: runs }, ({ counts }) => ({ counts })),
      comparison: { ...table, rows: table.rows.map(({ link, group, ...row }) => row) },
      groups: groupTable(report, 0, shownRows),
    },
  }
}

const columnsOfRuns: Column<Run>[] = [
  ...[runColumns.id, runColumns.status],
  { key: 'groups', title: 'Groups', value: run => totalOf(run.counts) },
  ...[runColumns.progress, runColumns.runner, runColumns.launched],
  { ...runColumns.duration, text: run => duration(durationOf(run, null)) },
  { key: 'commit', title: 'Commit', value: run => run.commit.slice(0, 7) },
  ...[runColumns.tags, runColumns.description],
]

function parametersOf({ comparison: { by, over, constants }, groups }: ExperimentReport): Fact[] {
  const varied = [...by, ...over].map(title => {
    const values = [...new Set(groups.map(group => parameterText(group, title)))]
    const shown = values.slice(0, mostValues).join(', ')
    const more = values.length > mostValues ? `, … (${values.length} values)` : ''
    return { title, text: shown + more + (over.includes(title) ? ' (averaged over)' : '') }
  })
  const same = Object.entries(constants).map(([title, all]) => ({
    title,
    text: `${[all].flat().join(' ')} (constant)`,
  }))
  return [...varied, ...same]
}

function plotOf({ svg, command, plotted }: DrawnPlot, comparison: ExperimentReport['comparison']) {
  // What stands beside the comparison is not repeated. A plot may leave out a run that has a row of its own there.
  const known = [...comparison.origins, ...comparison.notes]
  const notes = plotted.notes.filter(note => !known.includes(note))
  const mean = plotted.over.length > 0 ? [`mean over ${plotted.over.join(', ')}`] : []
  return {
    picture: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
    text: plotHeadline(plotted),
    notes: [...mean, ...plotRemarks({ ...plotted, notes })],
    command: displayCommand(['qanat', 'plot', ...command]),
  }
}

function failuresOf({ failures, examples }: ExperimentReport) {
  const { failed, total, kinds } = failuresPage(failures)
  const more = kinds.length - examples.length
  return {
    text: failed === 0 ? `None of ${total} groups failed.` : `${failed} of ${total} groups did not finish.`,
    kinds: examples.map((lines, at) => {
      const { groups, ...kind } = kinds[at]!
      return { ...kind, lines, groups: groups.map(({ title }) => ({ title })) }
    }),
    more: more > 0 ? `${more} more kinds are left out here.` : '',
  }
}

function provenanceOf(
  { runs, launched, hosts, failures }: ExperimentReport,
  sources: readonly RunSource[],
): readonly Fact[] {
  const commitOf = ({ commit, dirty, codeChanged }: Run) =>
    commit + (dirty ? ', with uncommitted changes' : '') + (codeChanged ? ', changed while it ran' : '')
  return [
    ...byRuns('command', runs, ({ id }) => [launched.get(id)!.program]),
    ...byRuns('commit', runs, run => [commitOf(run)]),
    ...byRuns('dataset', runs, ({ id }) => launched.get(id)!.datasets),
    ...byRuns('code', sources, ({ code_used }) => (code_used === null ? [] : [code_used])),
    ...byRuns('data', sources, ({ data }) =>
      data.flatMap(({ name, level, digest }) => (digest === null ? [] : [`${name}: ${level} ${digest}`])),
    ),
    ...byRuns('environment', sources, ({ environments }) =>
      environments.map(({ hash, unknown }) => [hash, ...notKnown(unknown)].join(', ')),
    ),
    ...[...hosts].map(([host, count]) => ({ title: 'host', text: `${host} (${count} of ${failures.total} groups)` })),
  ]
}

function byRuns<Of extends { readonly id: number }>(
  title: string,
  runs: readonly Of[],
  factsOf: (run: Of) => readonly string[],
): Fact[] {
  const found = new Map<string, number[]>()
  for (const run of runs) {
    for (const fact of new Set(factsOf(run))) if (!found.get(fact)?.push(run.id)) found.set(fact, [run.id])
  }
  return [...found].map(([fact, ids]) => ({ title, text: `${fact} (run ${ids.join(', ')})` }))
}

/** A part of all groups. A number that the text of its cell rounds is a detail. */
export function groupTable({ groups, columns: found }: ExperimentReport, first: number, count: number) {
  const cellText = (cell: unknown) => (typeof cell === 'number' ? valueText(cell, 6) : String(cell ?? ''))
  const numbers = found.map(({ name, value, typed }) => ({
    ...{ key: name, title: name, value },
    text: (group: GroupResult) => cellText(typed(group)),
  }))
  const columns: Column<GroupResult>[] = [
    { key: 'group', value: ({ run, index }) => `${run}.${index}` },
    { key: 'status', value: ({ state }) => state },
    { key: 'cause', value: ({ cause }) => cause },
    ...numbers,
    { key: 'started', value: ({ started }) => moment(started) },
    { key: 'duration', value: ({ seconds }) => seconds, text: ({ seconds }) => duration(seconds && seconds * 1000) },
  ]
  const part = groups.slice(first, first + count)
  const table = pageTable({ columns, rows: part }, () => ({}))
  const rows = table.rows.map((row, line) => {
    const details: Record<string, number> = {}
    for (const [at, { key, value }] of columns.entries()) {
      const number = value(part[line]!)
      if (typeof number === 'number' && String(number) !== row.cells[at]) details[key] = number
    }
    return { ...row, details }
  })
  return { ...table, rows }
}

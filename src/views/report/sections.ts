import type { RunSource } from '../../domain/made-from.js'
import type { GroupResult } from '../../domain/results/compare.js'
import { valueText } from '../../domain/results/number-text.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import type { ExperimentReport } from '../../operations/results/report-experiment.js'
import { jsonText } from '../format/displayable.js'
import { duration, moment } from '../format/times.js'
import type { Column, Table } from '../model.js'
import { escapedHtml, htmlTable } from '../render/html.js'
import { columnsForPeople, comparisonJson } from '../results/comparison.js'
import { supersededRemark } from '../results/comparison-remarks.js'
import { parameterText } from '../results/pair.js'
import { runColumns } from '../runs/columns.js'

/** More rows of a comparison are left out. */
const mostCells = 1_000
/** More values of a parameter are counted. */
const mostValues = 12

function whole<Row>(table: Table<Row>): string {
  const { head, rows } = htmlTable(table)
  return `<div class="tall"><table class="sortable">${head}<tbody>\n${[...rows].join('')}</tbody></table></div>`
}

function list(entries: readonly (readonly [string, string])[]): string {
  return `<dl>${entries.map(([name, text]) => `<dt>${escapedHtml(name)}</dt><dd>${escapedHtml(text)}</dd>`).join('\n')}</dl>`
}

/** What was run. */
export function runsSection({ runs }: ExperimentReport): string {
  const { id, status, progress, runner, launched, tags, description } = runColumns
  const lasted: Column<Run> = {
    ...runColumns.duration,
    text: run => (run.finished === null || run.started === null ? '' : duration(run.finished - run.started)),
  }
  const commit: Column<Run> = { key: 'commit', title: 'Commit', value: run => run.commit.slice(0, 7) }
  const groups: Column<Run> = { key: 'groups', title: 'Groups', value: run => totalOf(run.counts) }
  const columns = [id, status, groups, progress, runner, launched, lasted, commit, tags, description]
  return whole({ columns, rows: runs })
}

/** What varied, and what did not. */
export function parametersSection({ comparison, groups }: ExperimentReport): string {
  const names = [...comparison.by, ...comparison.over]
  const varied = names.map(name => {
    const values = [...new Set(groups.map(group => parameterText(group, name)))]
    const shown = values.slice(0, mostValues)
    const more = values.length > mostValues ? `, … (${values.length} values)` : ''
    return [name, shown.join(', ') + more + (comparison.over.includes(name) ? ' (averaged over)' : '')] as const
  })
  const constants = Object.entries(comparison.constants).map(
    ([name, value]) => [name, `${typeof value === 'string' ? value : value.join(' ')} (constant)`] as const,
  )
  const entries = [...varied, ...constants]
  return entries.length === 0 ? '<p>The groups have no parameters.</p>' : list(entries)
}

/** The comparison, and the same for programs, with all digits. */
export function comparisonSection({ comparison }: ExperimentReport): string {
  const filled = comparison.cells.filter(({ finished }) => finished > 0)
  const rows = filled.slice(0, mostCells)
  const columns = columnsForPeople(comparison, rows, null)
  const shown = { ...comparison, cells: comparison.cells.slice(0, mostCells) }
  const json = jsonText(comparisonJson(shown, null)).replace(/\n\s*/g, ' ').replaceAll('<', '\\u003c')
  const remarks = [
    ...(filled.length > rows.length ? [`${filled.length - rows.length} more rows are left out here.`] : []),
    ...(comparison.cells.length > filled.length ? [withoutGroups(comparison.cells.length - filled.length)] : []),
    ...comparison.notes.map(text => `Note: ${text}.`),
    ...supersededRemark(comparison.superseded).map(text => `${text}.`),
  ]
  return [
    '<p class="soft">Mean ± sample standard deviation (number of groups).</p>',
    whole({ columns, rows }),
    ...remarks.map(text => `<p class="soft">${escapedHtml(text)}</p>`),
    `<script type="application/json" id="comparison">${json}</script>`,
  ].join('\n')
}

function withoutGroups(cells: number): string {
  return cells === 1 ? '1 combination has no finished group.' : `${cells} combinations have no finished group.`
}

/** Failures by their causes, with an example of each. */
export function failuresSection({ failures, examples }: ExperimentReport): string {
  const { failed, total, kinds } = failures
  if (failed === 0) return `<p>None of ${total} groups failed.</p>`
  const kindTexts = kinds.slice(0, examples.length).map(({ label, groups, next }, at) => {
    const [first] = groups
    const lines = examples[at]!.join('\n')
    return `<p><strong>${groups.length} × ${escapedHtml(label)}</strong>, for example group ${first!.run}.${first!.index}</p>
<pre>${escapedHtml(lines === '' ? '(nothing on stderr)' : lines)}</pre>
<p class="soft"><code>${escapedHtml(next)}</code></p>`
  })
  const more =
    kinds.length > examples.length ? [`<p>${kinds.length - examples.length} more kinds are left out here.</p>`] : []
  return [`<p>${failed} of ${total} groups did not finish.</p>`, ...kindTexts, ...more].join('\n')
}

/** What the results were made from. @param sources of its runs */
export function provenanceSection(
  { runs, launched, hosts, failures }: ExperimentReport,
  sources: readonly RunSource[],
): string {
  const commitOf = ({ commit, dirty, codeChanged }: Run) =>
    [commit, ...(dirty ? ['with uncommitted changes'] : []), ...(codeChanged ? ['changed while it ran'] : [])].join(
      ', ',
    )
  return list([
    ...byRuns('command', runs, ({ id }) => [launched.get(id)!.program]),
    ...byRuns('commit', runs, run => [commitOf(run)]),
    ...byRuns('dataset', runs, ({ id }) => launched.get(id)!.datasets),
    ...byRuns('code', sources, ({ code_used }) => (code_used === null ? [] : [code_used])),
    ...byRuns('data', sources, ({ data }) =>
      data.flatMap(({ name, level, digest }) => (digest === null ? [] : [`${name}: ${level} ${digest}`])),
    ),
    ...byRuns('environment', sources, ({ environments }) => environments),
    ...[...hosts].map(([host, count]) => ['host', `${host} (${count} of ${failures.total} groups)`] as const),
  ])
}

/** Facts of one kind, each with the runs of which it is true. */
function byRuns<Of extends { readonly id: number }>(
  kind: string,
  runs: readonly Of[],
  factsOf: (run: Of) => readonly string[],
): [string, string][] {
  const found = new Map<string, number[]>()
  for (const run of runs) {
    for (const fact of new Set(factsOf(run))) if (!found.get(fact)?.push(run.id)) found.set(fact, [run.id])
  }
  return [...found].map(([fact, ids]) => [kind, `${fact} (run ${ids.join(', ')})`])
}

/** The columns of the list of all groups. */
export function groupColumnsOf({ columns }: ExperimentReport): Column<GroupResult>[] {
  return [
    { key: 'group', value: ({ run, index }) => `${run}.${index}` },
    { key: 'status', value: ({ state }) => state },
    { key: 'cause', value: ({ cause }) => cause },
    ...columns.map(
      (column): Column<GroupResult> => ({
        key: column.name,
        value: column.value,
        text: group => {
          const value = column.value(group)
          return typeof value === 'number' ? valueText(value, 6) : String(value ?? '')
        },
      }),
    ),
    { key: 'started', value: ({ started }) => moment(started) },
    {
      key: 'duration',
      value: ({ seconds }) => seconds,
      text: ({ seconds }) => (seconds === null ? '' : duration(seconds * 1000)),
    },
  ]
}

import type { Experiment } from '../../domain/experiment.js'
import type { ListedRun } from '../../domain/results/best.js'
import type { MetricChoice } from '../../domain/results/compare.js'
import { numberOf } from '../../domain/results/metrics.js'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import { groupStates, hasEnded, type Run } from '../../domain/runs/run.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import type { ExperimentOverview } from '../../operations/browse/overview.js'
import type { BrowsedGroup, GroupPart, RunParameters, RunPart } from '../../operations/browse/run-pages.js'
import type { Failures } from '../../operations/results/failure-kinds.js'
import type { RunDetails } from '../../operations/runs/run-details.js'
import { plainStyle } from '../format/style.js'
import { age } from '../format/times.js'
import type { Column } from '../model.js'
import { experimentColumns } from '../registry/experiment.js'
import { experimentLink, groupLink, pageTable, runLink } from '../render/page.js'
import { headingOf, textOf } from '../render/terminal.js'
import { metricText, parameterText } from '../results/pair.js'
import { soFarIn } from '../results/so-far.js'
import { bestColumn, bestTextColumn, runColumns } from '../runs/columns.js'
import { groupColumns, lastedColumn } from '../runs/groups.js'
import { lateNote, listColumns, measuredColumns } from '../runs/list.js'
import { runFacts } from '../runs/page.js'
import { stateText } from '../runs/state.js'

// What the pages in the browser show, as data. Their texts are those of the terminal; links are paths of pages.

/** The list of experiments. Those of which a run is over lead to their cells, the others to their runs. @param now milliseconds since the epoch */
export function overviewPage(experiments: readonly ExperimentOverview[], now: number) {
  const columns: Column<ExperimentOverview>[] = [
    { key: 'name', title: 'Experiment', value: ({ experiment }) => experiment.name },
    { key: 'runs', title: 'Runs', value: ({ runs }) => runs },
    { key: 'states', title: 'Their states', value: ({ counts }) => stateCounts(counts) },
    { key: 'last', title: 'Last run', value: ({ last }) => (last === null ? '' : lastText(last, now)) },
    { key: 'tags', title: 'Tags', value: ({ experiment }) => experiment.tags },
    { key: 'description', title: 'Description', value: ({ experiment }) => experiment.description },
  ]
  const about = ({ experiment, counts }: ExperimentOverview) => {
    const link = experimentLink(experiment.name)
    const isOver = groupStates.some(state => hasEnded(state) && (counts[state] ?? 0) > 0)
    return { link: isOver ? `${link}/compare` : link, counts }
  }
  return { table: pageTable({ columns, rows: experiments }, about) }
}

function stateCounts(counts: ExperimentOverview['counts']): string {
  const present = groupStates.filter(state => (counts[state] ?? 0) > 0)
  return present.map(state => `${counts[state]} ${stateText(plainStyle, state)}`).join(', ')
}

function lastText(run: Run, now: number): string {
  return `Run ${run.id} ${run.status}, launched ${age(now - run.launched)} ago`
}

/** What an experiment is, under titles. */
export function experimentFacts(experiment: Experiment) {
  const { executable, path, datasets, tags, actions } = experimentColumns
  return [executable, path, datasets, tags, actions]
    .map(column => ({ title: headingOf(column, plainStyle), text: textOf<Experiment>(column, experiment, plainStyle) }))
    .filter(({ text }) => text !== '')
}

/** More best metrics than these share a column. */
const mostColumns = 4

/** A part of a list of runs. @param experiment null if they are of several */
export function runsPage({ runs, metrics, late, total, counts }: RunPart, experiment: string | null, now: number) {
  const shown = metrics.filter(name =>
    runs.some(({ best, soFar = [] }) => best === null || [...best, ...soFar].some(each => each.metric === name)),
  )
  const measured = shown.length > mostColumns ? [bestColumn] : shown.map(bestTextColumn)
  const named = experiment === null ? [runColumns.experiment] : []
  const columns = listColumns(now, named, measuredColumns(runs, measured))
  const isEmpty = (column: Column<ListedRun>) => runs.every(run => textOf(column, run, plainStyle) === '')
  const told = columns.filter(column => !['tags', 'description'].includes(column.key) || !isEmpty(column))
  const table = pageTable({ columns: told, rows: runs }, run => ({
    link: runLink(run.id),
    counts: run.counts,
    ...(totalOf(run.counts) === 1 && { group: `${run.id}.0` }),
  }))
  return { table, total, counts, metrics, remarks: lateNote(late, experiment ?? 'NAME') }
}

/** A run without its groups. */
export function runPageData(
  run: Run,
  details: Omit<RunDetails, 'groups' | 'summary'>,
  parameters: RunParameters,
  now: number,
) {
  const constants = Object.keys(parameters.constants)
  return {
    id: run.id,
    experiment: run.experiment,
    status: run.status,
    counts: run.counts,
    total: totalOf(run.counts),
    over: isOver(run.counts),
    description: run.description,
    facts: runFacts(plainStyle, run, details, now).filter(({ text }) => text !== ''),
    comment: details.comment,
    varying: parameters.varying,
    constants: constants.map(name => ({
      title: name,
      text: parameterText({ parameters: parameters.constants }, name),
    })),
  }
}

const sortedColumns = ['index', 'status', 'cause', 'duration_s', 'started', 'host']

/** A part of the groups of a run, with what varies and what came out. */
export function groupsPage(
  run: Run,
  { groups, total }: GroupPart,
  parameters: RunParameters,
  metrics: readonly MetricChoice[],
  now: number,
) {
  const [varying, measured] = [parameters.varying, metrics].map(list => list.map(({ name }) => name)) as [
    string[],
    string[],
  ]
  const columns = groupListColumns(groups, varying, measured, now)
  const about = ({ index: at, metrics: own }: BrowsedGroup) => ({
    ...{ link: groupLink(run.id, at), group: `${run.id}.${at}` },
    details: Object.fromEntries(measured.map(name => [name, Object.hasOwn(own, name) ? numberOf(own[name]) : null])),
  })
  const sortable = [...sortedColumns, ...varying, ...measured]
  const series = seriesAmong(groups)
  const curve = measured.find(name => series.includes(name)) ?? null
  return { table: pageTable({ columns, rows: groups }, about), total, metrics: measured, sortable, curve }
}

/** As many as all lists show. */
const listedDigits = 4

/** The columns of a list of groups; those without information are left out. */
export function groupListColumns(
  groups: readonly BrowsedGroup[],
  varying: readonly string[],
  metrics: readonly string[],
  now: number,
): Column<BrowsedGroup>[] {
  const { index, status, cause, started, host, attempt, jobId } = groupColumns
  return [
    ...[index, status],
    ...(groups.some(group => group.status.state !== 'finished' && textOf(cause, group, plainStyle)) ? [cause] : []),
    ...varying.map(name => ({ key: name, value: (group: BrowsedGroup) => parameterText(group, name) })),
    ...metrics.map(name => ({
      key: name,
      value: (group: BrowsedGroup) => soFarIn(group, name) || metricText(group, name, listedDigits),
    })),
    ...[lastedColumn(now), started, host],
    ...(groups.some(group => group.attempt > 1) ? [attempt] : []),
    ...(groups.some(group => jobId.value(group) !== null) ? [jobId] : []),
  ]
}

/** More curves of a group are not drawn. */
const mostCurves = 4

/** The metrics of which groups have left several values. */
function seriesAmong(groups: readonly BrowsedGroup[]): string[] {
  const all = groups.flatMap(({ metrics, soFar = {} }) => [...Object.entries(metrics), ...Object.entries(soFar)])
  return [...new Set(all.flatMap(([name, metric]) => (typeof metric === 'object' ? [name] : [])))]
}

/** One group of a run. */
export function groupPage(run: Run, group: BrowsedGroup, now: number) {
  const { cause, exitCode, signal, host, started, peakMemory, cpuTime, gpus, jobId, attempt, storagePath } =
    groupColumns
  const again = group.attempt > 1 ? [attempt] : []
  const used = [peakMemory, cpuTime, gpus]
  const columns = [cause, exitCode, signal, started, lastedColumn(now), ...used, host, jobId, ...again, storagePath]
  const logs = `qanat run_logs ${run.id} --group ${group.index}`
  return {
    run: run.id,
    index: group.index,
    experiment: run.experiment,
    groups: totalOf(run.counts),
    status: group.status.state,
    over: hasEnded(group.status.state),
    facts: columns
      .map(column => ({ title: titleOf(column), text: textOf<BrowsedGroup>(column, group, plainStyle) }))
      .filter(({ text }) => text !== ''),
    parameters: Object.keys(group.parameters).map(title => ({ title, text: parameterText(group, title) })),
    metrics: [
      ...Object.keys(group.metrics).map(title => ({ title, text: metricText(group, title) })),
      ...Object.keys(group.soFar ?? {}).map(title => ({ title, text: soFarIn(group, title) })),
    ],
    curves: seriesAmong([group]).slice(0, mostCurves),
    program: displayCommand(group.command),
    commands: { why: `qanat why ${run.id}.${group.index}`, stdout: logs, stderr: `${logs} --stderr` },
  }
}

/** Columns that only programs read otherwise have no title. */
function titleOf<Row>(column: Column<Row>): string {
  if (column.title !== undefined) return column.title
  return column.key[0]!.toUpperCase() + column.key.slice(1).replaceAll('_', ' ')
}

const shownGroups = 5

/** Failures by kind. */
export function failuresPage({ failed, total, kinds }: Failures) {
  return {
    failed,
    total,
    kinds: kinds.map(({ label, line, groups, next }) => ({
      label,
      line,
      count: groups.length,
      groups: groups
        .slice(0, shownGroups)
        .map(({ run, index }) => ({ title: `${run}.${index}`, link: groupLink(run, index) })),
      next,
    })),
  }
}

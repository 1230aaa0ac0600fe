import { usualIgnores } from '../../domain/code-used.js'
import { type Experiment, type ExperimentSummary, pathOptionsOf } from '../../domain/experiment.js'
import { isSettled } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import type { RunListing } from '../../operations/results/select-runs.js'
import type { Style } from '../format/style.js'
import { age, clockTime, leftText } from '../format/times.js'
import { type Column, columnsOf } from '../model.js'
import { csvTable } from '../render/csv.js'
import { terminalCard, terminalTable } from '../render/terminal.js'
import { lateNote, runTable } from '../runs/list.js'
import { descriptionColumn, idColumn, nameColumn, pathColumn, tagsColumn } from '../shared-columns.js'

const column = columnsOf<Experiment>()

/** Columns of experiments. */
export const experimentColumns = {
  name: nameColumn,
  description: descriptionColumn,
  path: pathColumn,
  datasets: { key: 'datasets', title: 'Datasets', symbol: '💾', value: experiment => experiment.datasets },
  executable: column('executable', 'Executable', experiment => experiment.executable, {
    symbol: '⚙',
    text: ({ executableCommand, executable }) => [executableCommand, executable].filter(word => word !== '').join(' '),
  }),
  executableCommand: { key: 'executable_command', value: experiment => experiment.executableCommand },
  tags: tagsColumn,
  actions: column(
    'actions',
    'Actions',
    ({ actions }) =>
      actions.map(({ executableCommand: executable_command, storageOption: storage_option, ...action }) => ({
        ...{ ...action, executable_command },
        ...(storage_option !== undefined && { storage_option }),
      })),
    { symbol: '🛠', text: ({ actions }) => actions.map(actionText).join('; ') },
  ),
  metrics: { key: 'metrics', value: ({ results }) => results.metrics },
  best: { key: 'best', value: ({ results }) => results.best },
  outputs: { key: 'outputs', value: ({ results }) => results.outputs },
  passes: { key: 'passes', value: ({ passes }) => passes },
  uses: { key: 'uses', value: ({ uses }) => uses },
  ignores: { key: 'ignores', value: ({ ignores }) => ignores ?? usualIgnores },
  manifest: { key: 'manifest', value: ({ manifest }) => manifest },
  storageOption: { key: 'storage_option', value: experiment => pathOptionsOf(experiment).storageOption },
  datasetOption: { key: 'dataset_option', value: experiment => pathOptionsOf(experiment).datasetOption },
} satisfies Readonly<Record<string, Column<Experiment>>>

/** The number of runs of an experiment. */
export const runCountColumn: Column<Pick<ExperimentSummary, 'runs' | 'liveRuns'>> = {
  key: 'runs',
  title: 'Runs',
  symbol: '⏳',
  value: ({ runs }) => runs,
  text: ({ runs, liveRuns }) => (liveRuns > 0 ? `${runs} (${liveRuns} live)` : String(runs)),
}

function actionText({ name, description }: Experiment['actions'][number]): string {
  return description === '' ? name : `${name}: ${description}`
}

/** The time left is shown for at most this many live runs. */
const timedRuns = 5

const listColumns = [idColumn, nameColumn, pathColumn, runCountColumn, tagsColumn, descriptionColumn]

/** All experiments, one a line. */
export function experimentList(style: Style, summaries: readonly ExperimentSummary[]): string {
  if (summaries.length === 0) return 'No experiment yet. Next: qanat experiment new'
  return terminalTable({ columns: listColumns, rows: summaries.map(rowOf) }, style, 'short')
}

/** The same as CSV. */
export function experimentsCsv(summaries: readonly ExperimentSummary[]): string {
  return csvTable({ columns: listColumns, rows: summaries.map(rowOf) })
}

function rowOf({ experiment, ...others }: ExperimentSummary) {
  return { ...experiment, ...others }
}

function experimentCard(style: Style, experiment: Experiment): string {
  const { name, description, path, datasets, executable, tags, actions } = experimentColumns
  return terminalCard([name, description, path, datasets, executable, tags, actions], experiment, style)
}

/**
 * The card of an experiment and the table of its runs, live ones first, or of some of them.
 * @param leftOf how many milliseconds a live run will still take; null if that is not known
 */
export function experimentStatus(
  style: Style,
  experiment: Experiment,
  { runs, late, all }: RunListing,
  now: number,
  leftOf: (run: Run) => number | null,
): string {
  const lefts = runs
    .filter(run => !isSettled(run))
    .slice(0, timedRuns)
    .map(run => [run.id, leftOf(run)] as const)
    .flatMap(([id, left]) => (left === null ? [] : [`Run ${id}: ${leftText(left)}`]))
  const asOf = Math.min(now, ...runs.filter(run => !isSettled(run)).map(run => run.asOf))
  const counted = runs.length === all ? all : `${runs.length} of ${all}`
  const count = `${style.symbol('⏳')}Runs: ${counted}, as of ${clockTime(asOf)} (${age(now - asOf)} ago)`
  const card = `${experimentCard(style, experiment)}\n${count}`
  if (runs.length === 0) return `${card}\n`
  return [card, '', runTable(style, runs, now), ...lefts, ...lateNote(late, experiment.name), ''].join('\n')
}

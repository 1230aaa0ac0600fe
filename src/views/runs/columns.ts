import type { BestMetric, ListedRun } from '../../domain/results/best.js'
import { valueText } from '../../domain/results/number-text.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import { groupStates, type Run } from '../../domain/runs/run.js'
import { isoTime, moment, secondsOf } from '../format/times.js'
import type { Column } from '../model.js'
import { descriptionColumn, tagsColumn } from '../shared-columns.js'
import { durationOf, progressText, stateText } from './state.js'

/** All columns of a list of runs. */
export const runColumns = {
  id: { key: 'id', title: 'Run', symbol: '🆔', value: run => run.id },
  experiment: { key: 'experiment', title: 'Experiment', symbol: '🔖', value: run => run.experiment },
  status: {
    key: 'status',
    title: 'Status',
    symbol: '🔍',
    value: run => run.status,
    text: (run, style) => stateText(style, run.status),
  },
  runner: { key: 'runner', title: 'Runner', symbol: '🖥', value: run => run.runner },
  submitTemplate: parameter('submit_template', ({ submitTemplate }) => submitTemplate),
  resolved: parameter('resolved', ({ resolved }) => resolved),
  slots: parameter('n_threads', ({ slots }) => slots),
  container: parameter('container', ({ container }) => container?.image ?? null),
  gpu: parameter('gpu', ({ container }) => container?.gpu ?? false),
  commit: { key: 'commit_sha', value: run => run.commit },
  dirty: { key: 'dirty', value: run => run.dirty },
  codeChanged: { key: 'code_changed', value: run => run.codeChanged },
  storagePath: { key: 'storage_path', title: 'Path', symbol: '📁', value: run => run.storagePath },
  description: descriptionColumn,
  tags: tagsColumn,
  rerunOf: { key: 'rerun_of', value: run => run.rerunOf },
  launched: {
    key: 'launched',
    title: 'Launched',
    symbol: '📆',
    value: run => isoTime(run.launched),
    text: run => moment(run.launched),
  },
  started: { key: 'started', value: run => isoTime(run.started) },
  finished: { key: 'finished', value: run => isoTime(run.finished) },
  duration: {
    key: 'duration',
    title: 'Duration',
    symbol: '⏱',
    unit: 's',
    value: run => secondsOf(durationOf(run, null)),
  },
  progress: { key: 'progress', title: 'Progress', symbol: '⏳', value: run => run.progress, text: progressText },
} satisfies Readonly<Record<string, Column<Run>>>

/** The best values of the metrics of a run; … while they are not known. */
export const bestColumn = {
  key: 'best',
  title: 'Best',
  symbol: '🏆',
  value: ({ best }) => best && Object.fromEntries(best.map(({ metric, ...found }) => [metric, jsonValue(found)])),
  text: ({ best }) => best?.map(({ metric, value }) => `${metric} ${valueText(value)}`).join(', ') ?? '…',
} satisfies Column<ListedRun>

/** JSON has no infinity. */
function jsonValue({ value, group }: Omit<BestMetric, 'metric'>) {
  return { value: Number.isFinite(value) ? value : String(value), group }
}

/** A column for each best metric of some of these runs, for formats in which a cell is one value. */
export function bestNumberColumns(runs: readonly ListedRun[]): Column<ListedRun>[] {
  const metrics = new Set(runs.flatMap(({ best }) => best?.map(({ metric }) => metric) ?? []))
  return [...metrics].map(name => ({
    key: `best_${name}`,
    value: ({ best }) => best?.find(({ metric }) => metric === name)?.value ?? null,
  }))
}

/** Whether there is anything to show of the best metrics of runs. */
export function hasBest(runs: readonly ListedRun[]): boolean {
  return runs.some(({ best }) => best === null || best.length > 0)
}

/** The number of groups of a run, then the number in each state. */
export const groupCountColumns: readonly Column<Run>[] = [
  groupCount('total', run => totalOf(run.counts)),
  ...groupStates.map(state => groupCount(state, run => run.counts[state])),
]

function groupCount(name: string, value: (run: Run) => number): Column<Run> {
  return { key: `groups_${name}`, jsonPath: ['groups', name], value }
}

function parameter(key: string, value: (parameters: Run['runnerParameters']) => unknown): Column<Run> {
  return { key, jsonPath: ['runner_params', key], value: run => value(run.runnerParameters) }
}

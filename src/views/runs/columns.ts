import type { GridParameter } from '../../domain/parameters/group-parameters.js'
import { isNumberText } from '../../domain/parameters/same-value.js'
import type { ListedRun } from '../../domain/results/best.js'
import { valueText } from '../../domain/results/number-text.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import { groupStates, HERE, haltOf, type Run, slotsNow } from '../../domain/runs/run.js'
import { isoTime, moment, secondsOf } from '../format/times.js'
import { type Column, columnsOf } from '../model.js'
import { finiteJson } from '../render/json.js'
import { soFarText } from '../results/so-far.js'
import { descriptionColumn, tagsColumn } from '../shared-columns.js'
import { durationOf, progressText, runStatusText } from './state.js'

const column = columnsOf<Run>()

/** All columns of a list of runs. */
export const runColumns = {
  id: { key: 'id', title: 'Run', symbol: '🆔', value: run => run.id },
  experiment: { key: 'experiment', title: 'Experiment', symbol: '🔖', value: run => run.experiment },
  status: column('status', 'Status', run => run.status, {
    symbol: '🔍',
    text: (run, style) => runStatusText(style, run),
  }),
  runner: column('runner', 'Runner', run => run.runner, {
    symbol: '🖥',
    leaves: 3,
    text: ({ runner, site }) => (site === HERE ? runner : `${runner} on ${site}`),
  }),
  context: { key: 'context', value: ({ site }) => (site === HERE ? null : site) },
  submitTemplate: parameter('submit_template', ({ submitTemplate }) => submitTemplate),
  resolved: parameter('resolved', ({ resolved }) => resolved),
  slots: parameter('n_threads', ({ slots }) => slots),
  slotsNow: { key: 'slots', value: slotsNow },
  halt: { key: 'halted', value: haltOf },
  container: parameter('container', ({ container }) => container?.image ?? null),
  gpu: parameter('gpu', ({ container }) => container?.gpu ?? false),
  commit: { key: 'commit_sha', value: run => run.commit },
  dirty: { key: 'dirty', value: run => run.dirty },
  codeUsed: { key: 'code_used', value: run => run.codeUsed },
  codeChanged: { key: 'code_changed', value: run => run.codeChanged },
  storagePath: { key: 'storage_path', title: 'Path', symbol: '📁', leaves: 1, value: run => run.storagePath },
  description: descriptionColumn,
  tags: tagsColumn,
  rerunOf: { key: 'rerun_of', value: run => run.rerunOf },
  fillOf: { key: 'fill_of', value: run => run.fillOf },
  retired: { key: 'retired', value: ({ retired }) => retired && { at: isoTime(retired.at), why: retired.why } },
  launched: column('launched', 'Launched', run => isoTime(run.launched), {
    symbol: '📆',
    leaves: 5,
    text: run => moment(run.launched),
  }),
  started: { key: 'started', value: run => isoTime(run.started) },
  finished: { key: 'finished', value: run => isoTime(run.finished) },
  duration: column('duration', 'Duration', run => secondsOf(durationOf(run, null)), {
    symbol: '⏱',
    leaves: 6,
    unit: 's',
  }),
  progress: { key: 'progress', title: 'Progress', symbol: '⏳', value: run => run.progress, text: progressText },
} satisfies Readonly<Record<string, Column<Run>>>

/** The best values of the metrics of a run; `…` as long as they are not known. */
export const bestColumn = {
  key: 'best',
  title: 'Best',
  symbol: '🏆',
  value: ({ best }) =>
    best && Object.fromEntries(best.map(({ metric, value, group }) => [metric, { value: finiteJson(value), group }])),
  text: run => {
    if (run.best === null) return '…'
    const names = [...new Set([...run.best, ...(run.soFar ?? [])].map(({ metric }) => metric))]
    return names.map(name => `${name} ${bestText(run, name)}`).join(', ')
  },
} satisfies Column<ListedRun>

/** The parameters of a run, for people: first those that tell it, or its groups, from others. */
export const parametersColumn = {
  key: 'parameters',
  title: 'Parameters',
  symbol: '🔀',
  leaves: 8,
  shrinks: 20,
  value: ({ parameters = [] }) => parameters.map(({ name }) => name),
  text: ({ parameters = [] }) => parameters.map(parameterText).join(' '),
} satisfies Column<ListedRun>

/** The commit of a run as comparisons name it: with the beginning of the hash of its code if it had uncommitted changes. */
export const commitColumn = {
  key: 'commit',
  title: 'Commit',
  symbol: '📑',
  leaves: 7,
  value: run => run.commit,
  text: ({ commit, dirty, codeUsed, codeChanged }) => {
    const changes = dirty ? `+${codeUsed?.slice(0, 4) ?? ''}` : ''
    return `${commit.slice(0, 7)}${changes}${codeChanged ? ' changed' : ''}`
  },
} satisfies Column<Run>

const listedValues = 3
const longestValue = 12
const longestOnlyValue = 24

/**
 * A parameter with its values in short: `--seed 0…9`, `--model mlp,svm`, `--data a,b,c … (7)`, `[--amp]` for a flag of some groups,
 * `--epochs 20` for a value of all.
 */
function parameterText({ name, values, count, isEverywhere }: GridParameter): string {
  const [first = ''] = values
  if (count === 1 && isEverywhere) {
    const text = cutInMiddle(onOneLine(first), longestOnlyValue)
    return name.startsWith('pos_') ? text : `${name} ${text}`.trim()
  }
  if (count === 1 && first === '') return `[${name}]`
  const texts = values.map(value => onOneLine(value === '' ? '✓' : value))
  const shown = texts.map(text => (text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text))
  if (count <= listedValues) return `${name} ${shown.join(',')}`
  if (values.every(isNumberText)) {
    const sorted = values.toSorted((one, other) => Number(one) - Number(other))
    return `${name} ${sorted[0]}…${sorted.at(-1)}`
  }
  return `${name} ${shown.slice(0, listedValues).join(',')} … (${count})`
}

/** The ends of paths tell them apart. */
function cutInMiddle(text: string, most: number): string {
  const [begin, end] = [Math.floor((most - 1) / 3), Math.ceil(((most - 1) * 2) / 3)]
  return text.length > most ? `${text.slice(0, begin)}…${text.slice(-end)}` : text
}

function onOneLine(text: string): string {
  return text.replaceAll('\n', '⏎')
}

/** Whether there is anything to show of the parameters of runs. */
export function hasParameters(runs: readonly ListedRun[]): boolean {
  return runs.some(({ parameters = [] }) => parameters.length > 0)
}

/** A column for each best metric of some of these runs, for formats in which a cell is one value. */
export function bestNumberColumns(runs: readonly ListedRun[]): Column<ListedRun>[] {
  const metrics = new Set(runs.flatMap(({ best }) => best?.map(({ metric }) => metric) ?? []))
  return [...metrics].map(name => ({ key: `best_${name}`, value: run => bestOf(run, name) }))
}

/** A column for a best metric; … while it is not known, and behind what groups that run have left so far. */
export function bestTextColumn(name: string): Column<ListedRun> {
  return {
    key: name,
    title: name,
    value: run => bestOf(run, name),
    text: run => (run.best ? bestText(run, name) : '…'),
  }
}

/** As long as no group has finished with it, what groups that run have left so far. */
function bestText(run: ListedRun, name: string): string {
  const best = bestOf(run, name)
  if (best !== null) return valueText(best)
  const soFar = run.soFar?.find(({ metric }) => metric === name)
  return soFar ? soFarText([soFar.value]) : ''
}

function bestOf({ best }: ListedRun, name: string): number | null {
  return best?.find(({ metric }) => metric === name)?.value ?? null
}

/** Whether there is anything to show of the best metrics of runs. */
export function hasBest(runs: readonly ListedRun[]): boolean {
  return runs.some(({ best, soFar }) => best === null || best.length > 0 || soFar !== undefined)
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

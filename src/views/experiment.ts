import type { Experiment, ExperimentSummary } from '../domain/experiment.js'
import { isOver, isSettled, totalOf } from '../domain/runs/aggregate.js'
import type { GroupState, Run } from '../domain/runs/run.js'
import { columns } from './format/columns.js'
import type { Style } from './format/style.js'
import { table } from './format/table.js'
import { age, clockTime, duration, moment } from './format/times.js'

const stateSymbols: Readonly<Record<GroupState, string>> = {
  pending: '⏱',
  running: '▶',
  held: '⏸',
  finished: '🏁',
  failed: '❌',
  cancelled: '🚫',
  lost: '❔',
}

/** A state with its symbol, in its colour. */
export function stateText({ colour, symbol }: Style, state: GroupState): string {
  const paint = { failed: colour.red, lost: colour.red, finished: colour.green, running: colour.cyan }[state as string]
  const text = `${symbol(stateSymbols[state])}${state}`
  return paint ? paint(text) : text
}

/** All experiments, a line each. */
export function experimentList(style: Style, summaries: readonly ExperimentSummary[]): string {
  if (summaries.length === 0) return 'No experiment yet. Next: qanat experiment new'
  const rows = summaries.map(({ experiment, runs, liveRuns }) => [
    experiment.name,
    liveRuns > 0 ? `${runs} (${liveRuns} live)` : String(runs),
    experiment.tags.join(', '),
    experiment.description,
  ])
  const { symbol } = style
  return table([`${symbol('🔖')}Name`, `${symbol('⏳')}Runs`, `${symbol('🏷')}Tags`, `${symbol('💬')}Description`], rows)
}

/** What is registered of an experiment. */
export function experimentCard({ symbol }: Style, experiment: Experiment): string {
  const executable = [experiment.executableCommand, experiment.executable].filter(word => word !== '').join(' ')
  const lines = [
    `${symbol('🔖')}Name: ${experiment.name}`,
    `${symbol('💬')}Description: ${experiment.description}`,
    `${symbol('📁')}Path: ${experiment.path}`,
    `${symbol('💾')}Datasets: ${experiment.datasets.join(', ')}`,
    `${symbol('⚙')}Executable: ${executable}`,
    `${symbol('🏷')}Tags: ${experiment.tags.join(', ')}`,
    `${symbol('🛠')}Actions: ${experiment.actions.map(actionText).join('; ')}`,
  ]
  return lines.map(line => line.trimEnd()).join('\n')
}

function actionText({ name, description }: Experiment['actions'][number]): string {
  return description === '' ? name : `${name}: ${description}`
}

/** The card of an experiment and the table of its runs, live ones first. */
export function experimentStatus(style: Style, experiment: Experiment, runs: readonly Run[], now: number): string {
  const asOf = Math.min(now, ...runs.filter(run => !isSettled(run)).map(run => run.asOf))
  const count = `${style.symbol('⏳')}Runs: ${runs.length}, as of ${clockTime(asOf)} (${age(now - asOf)} ago)`
  const card = `${experimentCard(style, experiment)}\n${count}`
  return runs.length === 0 ? `${card}\n` : `${card}\n\n${runTable(style, runs, now)}\n`
}

/** Runs of several experiments, a line each, and of when the oldest answer about them is. */
export function runsText(style: Style, runs: readonly Run[], now: number): string {
  if (runs.length === 0) return 'No such run'
  const answers = runs.filter(run => !isSettled(run)).map(run => run.asOf)
  const asOf = Math.min(now, ...answers)
  const note = answers.length > 0 ? `\n\nas of ${clockTime(asOf)} (${age(now - asOf)} ago)` : ''
  return runTable(style, runs, now, true) + note
}

function runTable(style: Style, runs: readonly Run[], now: number, named = false): string {
  const { symbol } = style
  const headings = [
    `${symbol('🆔')}Run`,
    ...(named ? [`${symbol('🔖')}Experiment`] : []),
    `${symbol('🔍')}Status`,
    `${symbol('⏳')}Progress`,
    `${symbol('🖥')}Runner`,
    `${symbol('📆')}Launched`,
    `${symbol('⏱')}Duration`,
    `${symbol('🏷')}Tags`,
    `${symbol('💬')}Description`,
    `${symbol('📁')}Path`,
  ]
  const rows = runs.map(run => [
    String(run.id),
    ...(named ? [run.experiment] : []),
    stateText(style, run.status),
    progressText(run),
    run.runner,
    moment(run.launched),
    duration(durationOf(run, now)),
    run.tags.join(', '),
    run.description.replaceAll('\n', ' '),
    run.storagePath,
  ])
  return columns([headings, ...rows], style.columns)
}

/** `612/1000 (61%)`, `9/10, 1 failed`: groups that are done, and what went wrong. */
export function progressText({ counts, progress }: Run): string {
  const done = `${counts.finished}/${totalOf(counts)}`
  const wrong = (['failed', 'cancelled', 'lost'] as const).filter(state => counts[state] > 0)
  const percentage = !isOver(counts) && progress !== null ? ` (${Math.floor(progress)}%)` : ''
  return [done + percentage, ...wrong.map(state => `${counts[state]} ${state}`)].join(', ')
}

/** Milliseconds from the first start to the last end, or until now. */
export function durationOf(run: Run, now: number): number | null {
  if (run.started === null) return null
  return (run.finished ?? now) - run.started
}

import { isSettled } from '../domain/runs/aggregate.js'
import { type GroupState, groupStates, type Run } from '../domain/runs/run.js'
import { fewOf } from '../domain/text/names.js'
import { byteText } from './format/sizes.js'
import type { Style } from './format/style.js'
import { age, clockTime } from './format/times.js'
import type { Column } from './model.js'
import { terminalTable } from './render/terminal.js'
import { runColumns } from './runs/columns.js'
import { listColumns } from './runs/list.js'
import { stateText } from './runs/state.js'

export interface ProjectCounts {
  readonly experiments: number
  readonly datasets: number
  readonly documents: number
  readonly runs: Readonly<Partial<Record<GroupState, number>>>
}

type Count = readonly [name: string, count: string]

/** Counts of everything in a project; sizes in bytes if they were asked for. */
export function projectStatus(
  style: Style,
  root: string,
  { experiments, datasets, documents, runs }: ProjectCounts,
  sizes: { readonly results: number; readonly cache: number } | null,
): string {
  const total = Object.values(runs).reduce((sum, count) => sum + count, 0)
  const rows: Count[] = [
    ['Experiments', String(experiments)],
    ['Datasets', String(datasets)],
    ['Documents', String(documents)],
    ['Runs', String(total)],
    ...groupStates
      .filter(state => runs[state])
      .map((state): Count => [`  ${stateText(style, state)}`, String(runs[state])]),
  ]
  if (sizes) rows.push(['Results', byteText(sizes.results)], ['Cache', byteText(sizes.cache)])
  const columns: Column<Count>[] = [
    { key: 'name', title: 'Project', value: ([name]) => name },
    { key: 'count', title: root, value: ([, count]) => count },
  ]
  return terminalTable({ columns, rows }, style, 'whole')
}

interface Overview {
  readonly root: string
  readonly experiments: readonly string[]
  /** The oldest first. */
  readonly live: readonly Run[]
  readonly last: Run | null
}

const help = ['qanat --help', 'shows all commands'] as const

/** Outside of a project. */
export const startText = `This folder is not in a Qanat project. Next:
${nextLines([['qanat init', 'makes it one'], help])}`

const shownRuns = 5

/** A project, the runs that are live or the last one, and what to type next. */
export function overviewText(style: Style, { root, experiments, live, last }: Overview, now: number): string {
  const count = experiments.length === 1 ? '1 experiment' : `${experiments.length} experiments`
  const lines = [`Project ${root}`, experiments.length === 0 ? 'No experiment yet' : `${count}: ${fewOf(experiments)}`]
  const shown = live.length > 0 ? live.toReversed().slice(0, shownRuns) : last ? [last] : []
  if (last === null) lines.push('No run yet')
  else lines.push(live.length > 0 ? `${live.length} live, as of ${asOf(live, now)}` : 'No run is live; the last one:')
  if (shown.length > 0) {
    const columns = listColumns<Run>(now, [runColumns.experiment])
    lines.push('', terminalTable({ columns, rows: shown }, style, 'long').trimEnd(), '')
  }
  return [...lines, 'Next:', nextLines([...next(experiments, live, last), help])].join('\n')
}

function asOf(live: readonly Run[], now: number): string {
  const oldest = Math.min(now, ...live.map(run => run.asOf))
  return `${clockTime(oldest)} (${age(now - oldest)} ago)`
}

type Next = readonly [command: string, what: string]

function next(experiments: readonly string[], live: readonly Run[], last: Run | null): Next[] {
  const [first] = experiments
  if (first === undefined) return [['qanat experiment new', 'registers a script']]
  const running = live.findLast(run => !isSettled(run))
  if (running) {
    return [
      [`qanat experiment status ${running.experiment} --live`, 'watches its runs'],
      [`qanat run_wait ${running.id}`, 'waits for the run'],
    ]
  }
  if (last === null) return [[`qanat run ${first}`, 'runs it']]
  const looks: Next = [`qanat run_show ${last.id}`, 'shows its groups']
  if (last.status === 'finished') return [looks, [`qanat compare ${last.experiment}`, 'compares what came out']]
  return [[`qanat why ${last.id}`, 'says what went wrong'], looks]
}

function nextLines(lines: readonly Next[]): string {
  const width = Math.max(...lines.map(([command]) => command.length))
  return lines.map(([command, what]) => `  ${command.padEnd(width)}  ${what}`).join('\n')
}

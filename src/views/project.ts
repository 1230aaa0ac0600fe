import { type GroupState, groupStates } from '../domain/runs/run.js'
import { byteText } from './format/sizes.js'
import type { Style } from './format/style.js'
import type { Column } from './model.js'
import { terminalTable } from './render/terminal.js'
import { stateText } from './runs/state.js'

/** Counts of everything in a project. */
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

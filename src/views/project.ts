import { type GroupState, groupStates } from '../domain/runs/run.js'
import { stateText } from './experiment.js'
import { byteText } from './format/sizes.js'
import type { Style } from './format/style.js'
import { table } from './format/table.js'

/** What a project holds. */
export interface ProjectCounts {
  readonly experiments: number
  readonly datasets: number
  readonly documents: number
  readonly runs: Readonly<Partial<Record<GroupState, number>>>
}

/** Counts of a project; sizes in bytes where they were asked for. */
export function projectStatus(
  style: Style,
  root: string,
  { experiments, datasets, documents, runs }: ProjectCounts,
  sizes: { readonly results: number; readonly cache: number } | null,
): string {
  const total = Object.values(runs).reduce((sum, count) => sum + count, 0)
  const rows = [
    ['Experiments', String(experiments)],
    ['Datasets', String(datasets)],
    ['Documents', String(documents)],
    ['Runs', String(total)],
    ...groupStates.filter(state => runs[state]).map(state => [`  ${stateText(style, state)}`, String(runs[state])]),
    ...(sizes
      ? [
          ['Results', byteText(sizes.results)],
          ['Cache', byteText(sizes.cache)],
        ]
      : []),
  ]
  return table(['Project', root], rows)
}

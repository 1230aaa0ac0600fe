import { originNames } from '../../domain/results/comparison/columns.js'
import type { ComparedCell, ExperimentComparison } from '../../operations/results/compare/compare-experiment.js'

/** The part of a comparison that people see. */
export interface ShownPart {
  readonly cells: readonly ComparedCell[]
  /** The parameters that make columns: those that were asked for, and those in which such cells differ, also without `--top`. */
  readonly columns: ReadonlySet<string>
  /** What is the same for all such cells, without what only tells them from others. */
  readonly constants: ExperimentComparison['constants']
  /** How many cells have a finished group, but none of the metrics that others have. */
  readonly unmeasured: number
  /** How many groups are in such cells, and the ids of their runs. */
  readonly groups: number
  readonly runs: ReadonlySet<number>
}

/**
 * The cells that have a result: a finished group with one of the metrics, if any has one, or one that runs and has left some so far.
 * Of a grid all, with what is missing.
 */
export function shownPart(comparison: ExperimentComparison): ShownPart {
  const { allCells, bare, by, byNamed, constants, grid, isLive } = comparison
  const live = isLive ? new Set(allCells.filter(hasLive)) : null
  const finished = grid ? allCells : allCells.filter(cell => cell.finished > 0 || live?.has(cell))
  const measured = grid || bare.size === 0 ? finished : finished.filter(cell => !bare.has(cell.cell) || live?.has(cell))
  const cells = measured.length > 0 ? measured : finished
  const [columns, same] = [new Set<string>(), { ...constants }]
  for (const [at, name] of by.entries()) {
    const value = cells[0]?.parameters[at]
    if (value === undefined || byNamed.includes(name) || cells.some(cell => cell.parameters[at] !== value)) {
      columns.add(name)
    } else if (value !== null && !originNames.includes(name)) {
      same[name] = value
    }
  }
  const isTop = comparison.cells.length < allCells.length
  return {
    cells: isTop ? cells.slice(0, comparison.cells.length) : cells,
    columns,
    constants: same,
    unmeasured: finished.length - cells.length,
    // There may be 100,000 cells, and mostly all groups are in them.
    ...(cells.length === allCells.length && !grid
      ? { groups: comparison.groups, runs: new Set(comparison.runs.map(({ id }) => id)) }
      : groupsIn(cells)),
  }
}

/** Whether groups that run have left a metric of a cell so far. */
export function hasLive({ soFar }: ComparedCell): boolean {
  return soFar.some(numbers => numbers.length > 0)
}

function groupsIn(cells: readonly ComparedCell[]): Pick<ShownPart, 'groups' | 'runs'> {
  const runs = new Set<number>()
  let groups = 0
  for (const cell of cells) {
    const missing = cell.finished < cell.expected ? [...cell.missing.values()].flat() : []
    for (const { run, state } of [...cell.groups, ...missing]) {
      if (state === 'not_run') continue
      runs.add(run)
      groups++
    }
  }
  return { groups, runs }
}

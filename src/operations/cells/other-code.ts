import { changedCode, codeRepository } from '../../code/compare.js'
import { partOfGrid } from '../../domain/parameters/grid.js'
import { countOf, type StandingRun, standingOf } from '../../domain/results/comparison/standing.js'
import { type Run, ranOtherCode } from '../../domain/runs/run.js'
import { whyOtherCode } from '../code/changed-files.js'
import { comparedCodeOf } from '../code/code-definition.js'
import type { Workspace } from '../workspace.js'
import type { WantedCells } from './wanted-cells.js'

/** Missing cells, and the runs that may have them. */
interface Missing {
  /** Of the groups of the grid that are missing. */
  readonly indices: readonly number[]
  /** Those that have other code, the oldest first, and what their groups are. */
  readonly others: readonly Run[]
  readonly standingRun: (run: Run) => StandingRun
}

/** A sentence on missing cells that have finished with other code, which says what has changed since the newest of their runs; none if there are none. */
export async function otherCodeNote(
  workspace: Workspace,
  { experiment, grid, code, same, uncountedFiles }: WantedCells,
  { indices, others, standingRun }: Missing,
): Promise<string[]> {
  if (code === null || same !== 'code' || others.length === 0 || indices.length === 0) return []
  const known = workspace.store.reading(() => others.map(standingRun))
  const { finished } = standingOf(partOfGrid(grid, indices), known)
  const newest = others.findLast(({ id }) => finished.has(id))
  if (!newest) return []
  const { tree } = workspace.store.runs.launch(newest.id)
  const repository = await codeRepository(workspace.project.root)
  const counts = comparedCodeOf(workspace, experiment, uncountedFiles)
  const files =
    repository && !ranOtherCode(newest)
      ? await changedCode(repository, { commit: newest.commit, tree }, code, counts)
      : null
  const next =
    experiment.uses.length > 0 ? '' : `; 'uses' in the description of ${experiment.name} says which files matter`
  return [
    `${countOf(finished)} of the cells to run have finished with other code: ${whyOtherCode(newest, files)}\n--same any        counts them${next}`,
  ]
}

import type { RecordedCode } from '../../code/compare.js'
import type { Dependency } from '../../domain/documents/document.js'
import { type Provider, placeOfFile } from '../../domain/documents/provider.js'
import type { ParameterGrid } from '../../domain/parameters/grid.js'
import { groupKeys } from '../../domain/parameters/group-parameters.js'
import { countOf, standingText } from '../../domain/results/comparison/standing.js'
import type { Run } from '../../domain/runs/run.js'
import { whatIsAt } from '../../project/paths.js'
import { presenceOf } from '../../runfolder/files/presence.js'
import { type GridStanding, standingOfGrid } from '../cells/standing-of-grid.js'
import { uncountedPlaces } from '../registry/export-folders.js'
import { findAction } from '../registry/find-action.js'
import { findExperiment } from '../registry/find-experiment.js'
import { absolutePath, readFolder, type Workspace } from '../workspace.js'

/** How far the cells of a dependency have come, in all runs together. */
export interface DependencyCells {
  readonly standing: GridStanding
  /** How many cells have finished. */
  readonly finished: number
  /** Runs in which cells wait or run. */
  readonly live: readonly number[]
  /** `72 cells: 45 finished (run 11), 27 to run` */
  readonly text: string
  /** The cells that have to be launched, by the index of their group. */
  readonly missing: readonly number[]
  /** What provides the files; null if a cell is missing that is needed, or a file is not there. */
  readonly provider: Provider | null
}

/** Which groups a dependency may be made of. */
export interface WantedGroups {
  readonly grid: ParameterGrid
  readonly code: RecordedCode
  /** Whether a run has the experiment, the data and the files of now. */
  readonly counts: (run: Run) => boolean
}

/** Whether groups of several runs can provide a dependency: each of its files is of a group, and its action takes several runs. */
export function canBeSplit(workspace: Workspace, { experiment, files, action }: Dependency): boolean {
  if (files.some(file => !/^group_\d+\//.test(file))) return false
  return action === null || findAction(workspace, experiment, action).runs !== undefined
}

/** Finds how far the cells of a dependency have come. */
export async function cellsOf(
  workspace: Workspace,
  dependency: Dependency,
  { grid, code, counts }: WantedGroups,
): Promise<DependencyCells> {
  const { runArgsFile, container } = dependency
  const image = imageOf(workspace, container)
  const standing = await standingOfGrid(workspace, {
    ...{ experiment: findExperiment(workspace, dependency.experiment), grid, code, same: 'code', counts },
    container: image === null ? null : { image, kind: 'apptainer', gpu: false, digest: null },
    uncountedFiles: [
      ...(runArgsFile === null ? [] : [absolutePath(workspace, runArgsFile)]),
      ...uncountedPlaces(workspace),
    ],
  })
  const live = [...new Set([...standing.running.keys(), ...standing.pending.keys()])]
  const isNeeded = (index: number) => dependency.files.some(file => file.startsWith(`group_${index}/`))
  const needed = standing.missing.filter(
    ({ index, group }) => !(group && dependency.missing?.includes(group.cause)) || isNeeded(index),
  )
  const isWhole = live.length === 0 && needed.length === 0
  return {
    ...{
      standing,
      live,
      missing: needed.map(({ index }) => index),
      finished: countOf(standing.finished),
      text: standingText(standing),
    },
    provider: isWhole ? providerOf(workspace, dependency, grid, standing) : null,
  }
}

/** How a run names the container of a dependency. */
export function imageOf(workspace: Workspace, container: string | null): string | null {
  if (container === null) return null
  const path = absolutePath(workspace, container)
  return whatIsAt(path) === null ? container : path
}

function providerOf(
  workspace: Workspace,
  dependency: Dependency,
  grid: ParameterGrid,
  standing: GridStanding,
): Provider | null {
  const keyAt = groupKeys(grid)
  const holes = new Map(standing.missing.map(({ index, group }) => [keyAt(index), group!]))
  const groups = standing.groups().map((finished, index) => {
    const { run, ...group } = finished ?? holes.get(keyAt(index))!
    return { ...group, run: workspace.store.runs.get(run) }
  })
  const runs = [...new Map(groups.map(({ run }) => [run.id, run])).values()].sort((one, other) => one.id - other.id)
  const provider = { runs, groups }
  const isThere = (file: string) => {
    const place = placeOfFile(provider, file)
    return place !== null && presenceOf(readFolder(workspace, place.run), place.file) === 'there'
  }
  return dependency.action !== null || dependency.files.every(isThere) ? provider : null
}

import type { RecordedCode } from '../../../code/compare.js'
import { type ParameterGrid, partOfGrid } from '../../../domain/parameters/grid.js'
import { noCells, type Standing, standingText } from '../../../domain/results/comparison/standing.js'
import type { Run } from '../../../domain/runs/run.js'
import { type GridStanding, standingOfGrid, untilUntaken } from '../../cells/standing-of-grid.js'
import type { Workspace } from '../../workspace.js'
import { chooseCode } from '../code/choose-code.js'
import { confirmMany, launchResolved, recordedCode } from '../launch-run.js'
import type { Questions, TypedRequest } from '../request.js'
import { type ResolvedRun, resolveRequest } from '../resolve.js'
import { confirmDoubts } from '../slips.js'
import { type FillRequest, readFill } from './request.js'

/** What a launch found instead of something to do. */
export interface NothingMissing {
  readonly run: null
  readonly nothing: string
  readonly standing: Standing
}

/**
 * Launches the cells of a grid that no group speaks for, and that no run is about to run.
 * @param typed with `--fill`
 * @param ask null if there is nobody to ask
 */
export async function launchFill(
  workspace: Workspace,
  typed: TypedRequest,
  ask: Questions | null,
  interruption: AbortSignal,
): Promise<{ run: Run; standing: Standing } | NothingMissing> {
  const fill = readFill(workspace, typed)
  const { request, grid } = fill
  if (grid === null) return { run: null, nothing: standingText(noCells), standing: noCells }
  const all = await resolveRequest(workspace, request, grid)
  if (fill.from === null) await confirmDoubts(workspace, request, grid, ask?.doubt ?? null)
  const code = await chooseCode(workspace, request, all, ask)
  const recorded = recordedCode(code)
  let confirmed = 0
  return untilUntaken(async () => {
    const standing = await standingOf(workspace, fill, all, recorded)
    for (const note of await standing.notes()) workspace.warn(note)
    const text = standingText(standing)
    const { length } = standing.missing
    if (length === 0) return { run: null, nothing: text, standing }
    workspace.note(text)
    if (length > confirmed) await confirmMany(workspace, length, ask)
    confirmed = length
    const resolved = await resolveMissing(workspace, fill, grid, standing)
    return { run: await launchResolved(workspace, resolved, async () => code, interruption), standing }
  })
}

/** The standing of the cells of a request, and the launch of those that are missing; null if there are none. */
export async function planFill(
  workspace: Workspace,
  fill: FillRequest,
  codeOf: (all: ResolvedRun) => Promise<RecordedCode | null>,
): Promise<{ standing: Standing; resolved: ResolvedRun | null }> {
  if (fill.grid === null) return { standing: noCells, resolved: null }
  const all = await resolveRequest(workspace, fill.request, fill.grid)
  const standing = await standingOf(workspace, fill, all, await codeOf(all))
  for (const note of await standing.notes()) workspace.warn(note)
  const isMissing = standing.missing.length > 0
  return { standing, resolved: isMissing ? await resolveMissing(workspace, fill, fill.grid, standing) : null }
}

function standingOf(
  workspace: Workspace,
  { same }: FillRequest,
  { experiment, grid, plan, uncountedFiles }: ResolvedRun,
  code: RecordedCode | null,
): Promise<GridStanding> {
  return standingOfGrid(workspace, { experiment, grid, container: plan.container, code, same, uncountedFiles })
}

async function resolveMissing(
  workspace: Workspace,
  { request, from }: FillRequest,
  grid: ParameterGrid,
  { missing, refuseTaken }: GridStanding,
): Promise<ResolvedRun> {
  const indices = missing.map(({ index }) => index)
  const resolved = await resolveRequest(workspace, request, partOfGrid(grid, indices))
  return { ...resolved, fillOf: from?.id ?? null, refuseTaken }
}

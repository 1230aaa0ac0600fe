import type { Run } from '../../domain/runs/run.js'
import { UserError } from '../../errors.js'
import type { Fetched } from '../../sites/site.js'
import { type FetchChoice, fetchFiles, usualChoice } from '../folder/fetch-files.js'
import { refreshRun } from '../refresh/refresh-runs.js'
import { siteOf, type Workspace } from '../workspace.js'
import { findRunOrGroup, readGroup } from './find-run.js'

/** What was asked for. */
export interface FetchRequest {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly all: boolean
}

/** What has come of a run that lives at another site. */
export interface FetchedRun extends Fetched {
  readonly run: Run
}

/**
 * Fetches files of a run, or of one of its groups, that lives at another site: without patterns those that its context names, or all.
 * @param words of the run, or of the group
 * @throws UserError if it lives here
 */
export async function fetchRun(
  workspace: Workspace,
  [first, second]: readonly [string, string | undefined],
  { include, exclude, all }: FetchRequest,
): Promise<FetchedRun> {
  const { run, group } = findRunOrGroup(workspace, first, second)
  const index = group === null ? null : readGroup(run, group)
  if (siteOf(workspace, run).isHere)
    throw new UserError(`run ${run.id} lives on this machine`, `its files are in ${run.storagePath}`)
  const before = await refreshRun(workspace, run)
  const isChosen = include.length + exclude.length > 0
  const choice: FetchChoice = all ? 'all' : isChosen ? { include, exclude } : usualChoice(workspace, run)
  return { run: before, ...(await fetchFiles(workspace, before, choice, index)) }
}

import { join } from 'node:path'
import { resolveCommit } from '../../code/run-code.js'
import { inspectTree, type TreeState } from '../../code/tree-state.js'
import {
  type Dependency,
  type DependencyStatus,
  type Document,
  exportFolder,
  providedFiles,
} from '../../domain/documents/document.js'
import { holesOf, oneRun } from '../../domain/documents/provider.js'
import { buildGrid } from '../../domain/parameters/build-grid.js'
import type { ParameterGrid } from '../../domain/parameters/grid.js'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { fewInSentence } from '../../domain/text/names.js'
import { QanatError } from '../../errors.js'
import { readNote } from '../../project/documents/export-note.js'
import { readParameterFile } from '../../project/parameter-file.js'
import { changedSince, whyOtherCode } from '../code/changed-files.js'
import { proseFolders } from '../code/code-definition.js'
import { DataNow } from '../data/data-now.js'
import { verificationsOf } from '../folder/verifications.js'
import { uncountedPlaces } from '../registry/export-folders.js'
import { changesOfExperiment } from '../registry/launched-experiment.js'
import { makersBehind } from '../registry/stages.js'
import { absolutePath, readFolder, type Workspace } from '../workspace.js'
import { canBeSplit, cellsOf, type DependencyCells, imageOf } from './cells.js'
import { exportStatus } from './export-status.js'
import { canProvide, hadNone, missingFiles, missingText } from './missing-files.js'
import { StagesNow } from './stages-now.js'

/** How many milliseconds are spent on the data of all dependencies. */
const dataTime = 2_000

/** The state of the dependencies of a document, without running anything. */
export async function documentStatus(
  workspace: Workspace,
  document: Document,
): Promise<{ readonly tree: TreeState; readonly statuses: readonly DependencyStatus[] }> {
  const tree = await inspectTree(workspace.project.root, uncountedPaths(workspace, document))
  const now = factsNow(workspace, tree)
  const statuses: DependencyStatus[] = []
  for (const dependency of document.dependencies) {
    statuses.push(await dependencyStatus(workspace, document, dependency, now))
  }
  return { tree, statuses: statuses.map(status => behindStages(workspace, status, statuses)) }
}

/** What code and data are now, as far as it has been looked at. */
interface FactsNow {
  readonly code: CodeComparison
  readonly data: DataNow
  /** Without what git tracks. */
  readonly pinned: DataNow
  readonly stages: StagesNow
}

function factsNow(workspace: Workspace, tree: TreeState): FactsNow {
  return {
    code: new CodeComparison(workspace, tree),
    data: new DataNow(workspace, dataTime),
    pinned: new DataNow(workspace, dataTime, false),
    stages: new StagesNow(workspace),
  }
}

/** How the data of a run have changed, a sentence each. What git tracks is read from the commit that is wanted. */
async function otherData({ data, pinned, stages }: FactsNow, { commitSha }: Dependency, run: Run): Promise<string[]> {
  const changes = await (commitSha === null ? data : pinned).certainChanges(run)
  return [...changes.map(({ text }) => text), ...(await stages.changes(run))]
}

/**
 * How far the cells of a dependency have come, in all runs with the code and the data of now; null if only a whole run can provide
 * it.
 */
export async function dependencyCells(
  workspace: Workspace,
  dependency: Dependency,
  tree: TreeState,
): Promise<DependencyCells | null> {
  return canBeSplit(workspace, dependency) ? cellsNow(workspace, dependency, factsNow(workspace, tree)) : null
}

async function cellsNow(workspace: Workspace, dependency: Dependency, now: FactsNow): Promise<DependencyCells> {
  const counting = new Set<number>()
  for (const run of workspace.store.runs.listOf(dependency.experiment)) {
    if (run.retired || otherExperiment(workspace, dependency, run).length > 0) continue
    if ((await otherData(now, dependency, run)).length === 0) counting.add(run.id)
  }
  return cellsOf(workspace, dependency, {
    grid: gridOf(workspace, dependency),
    code: { commit: await now.code.wanted(dependency), tree: null },
    counts: ({ id }) => counting.has(id),
  })
}

/** The status of a dependency: what reads files of another one is not up to date before that one is. */
function behindStages(
  workspace: Workspace,
  status: DependencyStatus,
  all: readonly DependencyStatus[],
): DependencyStatus {
  const { dependency, state } = status
  const makers = makersBehind(workspace, dependency.experiment)
  const late = all.find(each => each.state !== 'up to date' && makers.has(each.dependency.experiment))
  if (state !== 'up to date' || late === undefined) return status
  const why = `it reads what ${late.dependency.experiment} makes, which is ${late.state}`
  return { dependency, state: 'stale', provider: null, changed: [], why }
}

async function dependencyStatus(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  now: FactsNow,
): Promise<DependencyStatus> {
  const { code } = now
  const missing = (why: string, run: Run | null = null) =>
    ({ dependency, state: 'missing', provider: run && oneRun(run), changed: [], why }) as const
  let wanted: string
  let runs: readonly Run[]
  let retired: Run | null
  try {
    wanted = await code.wanted(dependency)
    const all = runsOf(workspace, dependency)
    runs = all.filter(run => !run.retired)
    retired = all.find(run => run.retired) ?? null
  } catch (error) {
    if (error instanceof QanatError) return missing(error.message)
    throw error
  }
  const current: Run[] = []
  for (const run of runs) {
    if (otherExperiment(workspace, dependency, run).length > 0) continue
    if ((await code.changed(run, wanted))?.length !== 0) continue
    if ((await otherData(now, dependency, run)).length === 0) current.push(run)
  }
  const finished = current.filter(run => run.status === 'finished')
  const complete = finished.filter(run => canProvide(workspace, dependency, run))
  if (complete.length > 0) return statusOfFirst(workspace, document, dependency, complete)
  const live = current.find(run => !isOver(run.counts))
  if (live) return missing(`run ${live.id} is ${live.status}`, live)
  if (finished[0]) {
    const files = missingFiles(workspace, dependency, finished[0])
    // Another run would not make what this one never made, and need not make what is not fetched.
    const isSure = readFolder(workspace, finished[0]).isMirror || hadNone(workspace, finished[0], files)
    return missing(missingText(workspace, finished[0], files), isSure ? finished[0] : null)
  }
  const trashed = await trashedRun(workspace, dependency, run => code.changed(run, wanted))
  if (trashed) {
    const { id } = trashed
    return { ...missing(`run ${id} is in the trash, and qanat trash restore ${id} brings it back`), trashed: id }
  }
  const cells = canBeSplit(workspace, dependency) ? await cellsNow(workspace, dependency, now) : null
  if (cells?.provider) {
    const status = await exportStatus(workspace, document, dependency, cells.provider)
    const holes = holesOf(cells.provider)
    return { ...status, why: status.why || (holes.length > 0 ? `without ${fewInSentence(holes)}` : '') }
  }
  if (cells && (cells.finished > 0 || cells.live.length > 0)) return missing(cells.text)
  const others = runs.filter(run => run.status === 'finished' && !current.includes(run))
  const other = others[0] ?? (cells && exportedRun(workspace, document, dependency))
  if (other) {
    const stale = (why: string, changed: readonly string[] = []) =>
      ({ dependency, state: 'stale', provider: null, changed, why }) as const
    const changedExperiment = otherExperiment(workspace, dependency, other)
    if (changedExperiment.length > 0) return stale(changedExperiment.join('; '))
    const changed = await code.changed(other, wanted)
    const changedData = changed?.length === 0 ? await otherData(now, dependency, other) : []
    if (changedData.length > 0) return stale(changedData.join('; '))
    // The run of an export may have none of the cells any more.
    if (others.length > 0 || changed?.length !== 0)
      return stale(whyOtherCode(other, changed, dependency.commitSha), changed ?? [])
  }
  if (current[0]) {
    const { id, counts } = current[0]
    const retry = counts.finished > 0 ? `, and qanat run_retry ${id} runs only the others again` : ''
    return missing(`run ${id}: ${counts.finished} of ${totalOf(counts)} groups finished${retry}`)
  }
  return missing(retired ? `run ${retired.id} with these arguments is retired` : 'no run with these arguments')
}

/** The newest run that is in what was exported for a dependency; null if that is not known. */
function exportedRun(workspace: Workspace, document: Document, dependency: Dependency): Run | null {
  const folder = join(absolutePath(workspace, document.path), exportFolder(dependency))
  const notes = providedFiles(dependency).flatMap(file => readNote(join(folder, file)) ?? [])
  const runs = notes.flatMap(({ run, token }) => {
    const found = workspace.store.runs.find(run)
    return found && !found.retired && workspace.store.runs.token(run) === token ? [found] : []
  })
  return runs.sort((one, other) => other.id - one.id)[0] ?? null
}

/**
 * The status of the newest launch. A rerun has the rank of the run that it repeats: what was exported of any of them stays up
 * to date, and one that was launched to verify the run counts last.
 */
async function statusOfFirst(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  complete: readonly Run[],
): Promise<DependencyStatus> {
  const ranked = complete.map(run => ({ run, rank: workspace.store.cells.first(run) }))
  const highest = Math.max(...ranked.map(({ rank }) => rank))
  const equal = ranked.filter(({ rank }) => rank === highest).map(({ run }) => run)
  let first: DependencyStatus | null = null
  const isCheck = (run: Run) => verificationsOf(workspace, run).some(({ again }) => again === run.id)
  const checks = equal.length === 1 ? [] : equal.filter(isCheck)
  for (const run of [...equal.filter(each => !checks.includes(each)), ...checks]) {
    const status = await exportStatus(workspace, document, dependency, oneRun(run))
    if (status.state === 'up to date') return status
    first ??= status
  }
  return first!
}

/** Runs with the experiment, the arguments and the container of a dependency, the newest first. */
function runsOf(workspace: Workspace, dependency: Dependency): Run[] {
  return workspace.store.runs
    .listWith(dependency.experiment, gridOf(workspace, dependency))
    .filter(run => hasContainer(workspace, dependency, run))
}

function hasContainer(workspace: Workspace, { container }: Dependency, run: Run): boolean {
  return (run.runnerParameters.container?.image ?? null) === imageOf(workspace, container)
}

/** The newest deleted run that would do for a dependency; null if there is none. */
async function trashedRun(
  workspace: Workspace,
  dependency: Dependency,
  changed: (run: Run) => Promise<readonly string[] | null>,
): Promise<Run | null> {
  const { runs } = workspace.store
  const grid = JSON.stringify(gridOf(workspace, dependency))
  for (const run of runs.deleted().toReversed()) {
    if (run.experiment !== dependency.experiment || run.status !== 'finished') continue
    if (JSON.stringify(runs.grid(run.id)) !== grid || !hasContainer(workspace, dependency, run)) continue
    if (otherExperiment(workspace, dependency, run).length === 0 && (await changed(run))?.length === 0) return run
  }
  return null
}

/** How the experiment now differs from that of a run. A dependency on a commit is about what ran then. */
function otherExperiment(workspace: Workspace, { commitSha }: Dependency, run: Run): string[] {
  return commitSha === null ? changesOfExperiment(workspace, run) : []
}

/** The parameters of the run that a dependency needs. @throws UserError if their file cannot be read */
export function gridOf(workspace: Workspace, { runArgsFile }: Dependency): ParameterGrid {
  const file = runArgsFile === null ? {} : { file: readParameterFile(absolutePath(workspace, runArgsFile)) }
  return buildGrid({ experimentArguments: [], groups: [], ranges: [], values: [], ...file })
}

/**
 * Absolute paths of files that a compilation may find changed: in folders of documents, exports, and parameter files, which
 * are stored with each run.
 */
function uncountedPaths(workspace: Workspace, { dependencies }: Document): string[] {
  const files = dependencies.flatMap(({ runArgsFile }) =>
    runArgsFile === null ? [] : [absolutePath(workspace, runArgsFile)],
  )
  return [...proseFolders(workspace), ...uncountedPlaces(workspace), ...files]
}

/** Compares the code of runs with the code that a document needs. */
class CodeComparison {
  private readonly known = new Map<string, ReturnType<typeof changedSince>>()

  constructor(
    private readonly workspace: Workspace,
    private readonly tree: TreeState,
  ) {}

  /** The commit that a dependency needs. @throws UserError if it does not exist */
  async wanted({ commitSha }: Dependency): Promise<string> {
    return commitSha === null ? this.tree.head : resolveCommit(this.tree, commitSha)
  }

  /** The files of the code that differ between a run and a commit; null if that is not known. */
  async changed(run: Run, commit: string): Promise<readonly string[] | null> {
    if (run.codeChanged !== false) return null
    const key = `${run.id} ${commit}`
    const changed = this.known.get(key) ?? changedSince(this.workspace, this.tree, run, commit)
    this.known.set(key, changed)
    return changed
  }
}

import { join } from 'node:path'
import { resolveCommit } from '../../code/run-code.js'
import { contentOfScript } from '../../code/script-state.js'
import { inspectTree, type TreeState } from '../../code/tree-state.js'
import {
  actionText,
  type Dependency,
  type DependencyStatus,
  type Document,
  exportFolder,
  providedFiles,
} from '../../domain/document.js'
import type { Action } from '../../domain/experiment.js'
import { buildGrid } from '../../domain/parameters/build-grid.js'
import type { ParameterGrid } from '../../domain/parameters/grid.js'
import { productCommand } from '../../domain/product.js'
import { isOver, totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { QanatError } from '../../errors.js'
import { readNote } from '../../project/documents/export-note.js'
import { contentOfExport, isUpToDate } from '../../project/documents/exported-file.js'
import { readParameterFile } from '../../project/parameter-file.js'
import { whatIsAt } from '../../project/paths.js'
import { presenceOf } from '../../runfolder/files/presence.js'
import { ActionFiles } from '../actions/action-tree.js'
import { firstOfChain } from '../cells/first-of-chain.js'
import { changedSince, whyOtherCode } from '../code/changed-files.js'
import { proseFolders } from '../code/code-definition.js'
import { DataNow } from '../data/data-now.js'
import { verificationsOf } from '../folder/verifications.js'
import { uncountedPlaces } from '../registry/export-folders.js'
import { findExperiment } from '../registry/find-experiment.js'
import { changesOfExperiment } from '../registry/launched-experiment.js'
import { actionScript } from '../registry/script-file.js'
import { makersBehind } from '../registry/stages.js'
import { absolutePath, readFolder, type Workspace } from '../workspace.js'
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
  const code = new CodeComparison(workspace, tree)
  const data = {
    now: new DataNow(workspace, dataTime),
    pinned: new DataNow(workspace, dataTime, false),
    stages: new StagesNow(workspace),
  }
  const statuses: DependencyStatus[] = []
  for (const dependency of document.dependencies) {
    statuses.push(await dependencyStatus(workspace, document, dependency, code, data))
  }
  return { tree, statuses: statuses.map(status => behindStages(workspace, status, statuses)) }
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
  return { dependency, state: 'stale', run: null, changed: [], why }
}

async function dependencyStatus(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  code: CodeComparison,
  data: Readonly<Record<'now' | 'pinned', DataNow>> & { readonly stages: StagesNow },
): Promise<DependencyStatus> {
  const missing = (why: string, run: Run | null = null) =>
    ({ dependency, state: 'missing', run, changed: [], why }) as const
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
  // What git tracks is read from the commit that is wanted.
  const dataNow = dependency.commitSha === null ? data.now : data.pinned
  const otherData = async (run: Run) => [
    ...(await dataNow.certainChanges(run)).map(({ text }) => text),
    ...(await data.stages.changes(run)),
  ]
  for (const run of runs) {
    if (otherExperiment(workspace, dependency, run).length > 0) continue
    if ((await code.changed(run, wanted))?.length !== 0) continue
    if ((await otherData(run)).length === 0) current.push(run)
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
  const [other] = runs.filter(run => run.status === 'finished' && !current.includes(run))
  if (other) {
    const stale = (why: string, changed: readonly string[] = []) =>
      ({ dependency, state: 'stale', run: null, changed, why }) as const
    const changedExperiment = otherExperiment(workspace, dependency, other)
    if (changedExperiment.length > 0) return stale(changedExperiment.join('; '))
    const changed = await code.changed(other, wanted)
    const changedData = changed?.length === 0 ? await otherData(other) : []
    if (changedData.length > 0) return stale(changedData.join('; '))
    return stale(whyOtherCode(other, changed, dependency.commitSha), changed ?? [])
  }
  if (current[0]) {
    const { id, counts } = current[0]
    const retry = counts.finished > 0 ? `, and qanat run_retry ${id} runs only the others again` : ''
    return missing(`run ${id}: ${counts.finished} of ${totalOf(counts)} groups finished${retry}`)
  }
  return missing(retired ? `run ${retired.id} with these arguments is retired` : 'no run with these arguments')
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
  const ranked = complete.map(run => ({ run, rank: firstOfChain(workspace, run) }))
  const highest = Math.max(...ranked.map(({ rank }) => rank))
  const equal = ranked.filter(({ rank }) => rank === highest).map(({ run }) => run)
  let first: DependencyStatus | null = null
  const isCheck = (run: Run) => verificationsOf(workspace, run).some(({ again }) => again === run.id)
  const checks = equal.length === 1 ? [] : equal.filter(isCheck)
  for (const run of [...equal.filter(each => !checks.includes(each)), ...checks]) {
    const status = await exportStatus(workspace, document, dependency, run)
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
  const path = container === null ? null : absolutePath(workspace, container)
  const image = path !== null && whatIsAt(path) !== null ? path : container
  return (run.runnerParameters.container?.image ?? null) === image
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
function gridOf(workspace: Workspace, { runArgsFile }: Dependency): ParameterGrid {
  const file = runArgsFile === null ? {} : { file: readParameterFile(absolutePath(workspace, runArgsFile)) }
  return buildGrid({ experimentArguments: [], groups: [], ranges: [], values: [], ...file })
}

async function exportStatus(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  run: Run,
): Promise<DependencyStatus> {
  const folder = join(absolutePath(workspace, document.path), exportFolder(dependency))
  const stale = (why: string) => ({ dependency, state: 'stale', run, changed: [], why }) as const
  const action = actionText(dependency)
  const registered = registeredAction(workspace, dependency)
  const script = registered ? (actionScript(workspace, run.experiment, registered) ?? registered.executable) : ''
  const scriptPath = absolutePath(workspace, script)
  const content = await contentOfScript(scriptPath)
  const beside = registered && new ActionFiles(workspace, run.experiment, registered)
  let doubt = ''
  for (const file of providedFiles(dependency)) {
    const exported = join(folder, file)
    const note = readNote(exported)
    const product = dependency.products.find(each => each.file === file)
    if (whatIsAt(exported) === null || note === null) {
      return stale(`${file} of run ${run.id} is not ${product ? 'made' : 'exported'} yet`)
    }
    if (note.edited) return stale(`the note on ${file} was edited`)
    if (note.run !== run.id || note.token !== workspace.store.runs.token(run.id)) {
      const isRetired = workspace.store.runs.find(note.run)?.retired ? ', which is retired' : ''
      return stale(`${file} was ${product ? 'made of' : 'exported from'} run ${note.run}${isRetired}`)
    }
    if (note.action !== action)
      return stale(`${file} was exported ${note.action ? `after the action ${note.action}` : 'without an action'}`)
    if (note.script !== null && note.script !== content)
      return stale(`${script} has changed since ${product ? `${file} was made` : `it made ${file}`}`)
    const other = beside && note.tree && (await beside.doubt(note.tree, file))
    if (other?.isStale) return stale(other.why)
    doubt ||= other?.why ?? ''
    if (product) {
      const command = productCommand(product, run.experiment, run.id)
      if (note.made?.command !== command) return stale(`${file} was made by other options`)
      if (note.made.content !== (await contentOfExport(exported))) return stale(`${file} has changed since it was made`)
      continue
    }
    const source = join(absolutePath(workspace, run.storagePath), file)
    const presence = presenceOf(readFolder(workspace, run), file)
    // Then the note says what was exported.
    if (presence === 'not fetched' && note.content === (await contentOfExport(exported))) continue
    if (presence !== 'there') return stale(`${file} is no longer in run ${run.id}`)
    if (!isUpToDate({ source, target: exported })) return stale(`${file} has changed since it was exported`)
  }
  return { dependency, state: 'up to date', run, changed: [], why: doubt }
}

/** The action of a dependency; undefined if it has none or it is no longer registered. */
function registeredAction(workspace: Workspace, { experiment, action }: Dependency): Action | undefined {
  return findExperiment(workspace, experiment).actions.find(({ name }) => name === action)
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

import { resolveCommit } from '../../code/run-code.js'
import type { TreeState } from '../../code/tree-state.js'
import {
  type Dependency,
  type DependencyStatus,
  type Document,
  dependencyText,
  type StoredDocument,
} from '../../domain/document.js'
import { isOver } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { programOf } from '../../domain/runs/run-plan.js'
import { InterruptedError, OperationError, UserError } from '../../errors.js'
import { callScript } from '../../project/scripts/user-script.js'
import { withProjectLock } from '../../store/locks/project-lock.js'
import { type ActionOutcome, runAction } from '../actions/run-action.js'
import { launchResolved } from '../launch/launch-run.js'
import { resolveRequest } from '../launch/resolve.js'
import { findAction } from '../registry/find-action.js'
import { makersBehind } from '../registry/stages.js'
import { absolutePath, isInForeground, type Workspace } from '../workspace.js'
import { Compilation } from './compilation.js'
import { documentStatus } from './document-status.js'
import { exportFiles, type MakeProduct } from './export-files.js'
import { warnOfFormerExports } from './former-exports.js'
import { missingFiles, missingText } from './missing-files.js'
import { refuseForeign } from './own-exports.js'
import { refuseUncommitted } from './uncommitted.js'

/** Callbacks during a compilation. */
export interface CompileSteps {
  /** Reports the state of the dependencies, before anything is done. */
  readonly found: (statuses: readonly DependencyStatus[]) => void
  /** Waits for a run that was just launched, or that another command had launched. */
  readonly follow: (run: Run, isNew: boolean) => Promise<Run>
  readonly exported: (run: Run, files: readonly string[]) => void
  readonly make: MakeProduct
  readonly interruption: AbortSignal
  /** Where the output of scripts goes. */
  readonly output: 'stdout' | 'stderr'
}

/**
 * Compiles a document: launches missing runs and waits for them, runs the actions, copies the files, calls its script.
 * From the first copied file until everything has succeeded, the document counts as not compiled.
 * @param words arguments for the script
 * @throws UserError before anything runs, OperationError if a run, an action or the script fails
 */
export async function compileDocument(
  workspace: Workspace,
  document: Document,
  words: readonly string[],
  steps: CompileSteps,
): Promise<void> {
  const { tree, statuses } = await documentStatus(workspace, document)
  steps.found(statuses)
  refuseUncommitted(workspace, { tree, statuses })
  await withDocumentLock(workspace, document, async () => refuseForeign(workspace, document, statuses))
  for (const { experiment, action } of document.dependencies) {
    if (action !== null) findAction(workspace, experiment, action)
  }
  const runs = await provideStages(workspace, document, tree, statuses, steps)
  workspace.store.documents.setCompiled(document.name, null)
  const compilation = new Compilation(workspace, document)
  for (const [dependency, run] of runs) await exportOf(workspace, document, dependency, run, steps)
  warnOfFormerExports(workspace, document)
  const { executableCommand, executable } = programOf(scriptOf(document))
  await compilation.record(
    () => callCompileScript(workspace, document, words, steps),
    [...executableCommand, executable, ...words],
    tree.head,
  )
  workspace.store.documents.setCompiled(document.name, Date.now())
}

/** Opens a document with its view script. @throws UserError before it is compiled, OperationError if the script fails */
export async function viewDocument(workspace: Workspace, document: StoredDocument): Promise<void> {
  if (document.viewScript === '' && document.viewScriptCommand === '') {
    throw new UserError(
      `the document ${document.name} has no view_script`,
      `qanat document update ${document.name}        adds one`,
    )
  }
  if (document.compiled === null) {
    throw new UserError(
      `the document ${document.name} is not compiled`,
      `qanat document compile ${document.name} --view`,
    )
  }
  const { viewScript: executable, viewScriptCommand: executableCommand } = document
  const cwd = absolutePath(workspace, document.path)
  const { code } = await callScript({ executable, executableCommand }, [], { cwd })
  if (code !== 0) throw new OperationError(`the view script of ${document.name} ended with code ${code}`)
}

/** Provides a finished run for every dependency: first for those whose experiments make what others read. */
async function provideStages(
  workspace: Workspace,
  document: Document,
  tree: TreeState,
  found: readonly DependencyStatus[],
  steps: CompileSteps,
): Promise<Map<Dependency, Run>> {
  const provided: [Dependency, Run][] = []
  let statuses = found
  while (statuses.length > 0) {
    const makers = new Set(statuses.map(({ dependency }) => dependency.experiment))
    const isReady = ({ dependency }: DependencyStatus) =>
      [...makersBehind(workspace, dependency.experiment)].every(maker => !makers.has(maker))
    // Stages in a circle are refused when they are registered, but files may be edited.
    const ready = statuses.some(isReady) ? statuses.filter(isReady) : statuses
    provided.push(...(await provideRuns(workspace, document, tree, ready, steps)))
    const rest = statuses.filter(status => !ready.includes(status))
    // What they read may be other files by now.
    const dependencies = rest.map(({ dependency }) => dependency)
    statuses = rest.length === 0 ? rest : (await documentStatus(workspace, { ...document, dependencies })).statuses
  }
  const runs = new Map(provided)
  return new Map(document.dependencies.map(dependency => [dependency, runs.get(dependency)!]))
}

/** Provides a finished run for every dependency. All runs that need no foreground are launched before it waits for the first. */
async function provideRuns(
  workspace: Workspace,
  document: Document,
  tree: TreeState,
  statuses: readonly DependencyStatus[],
  steps: CompileSteps,
): Promise<Map<Dependency, Run>> {
  const runs = new Map<Dependency, Run>()
  const launched = new Set<number>()
  const isWaitedFor = ({ dependency }: DependencyStatus) =>
    isInForeground(workspace.findRunner(workspace.site, dependency.runner))
  const inOrder = [...statuses.filter(status => !isWaitedFor(status)), ...statuses.filter(isWaitedFor)]
  const launch = (dependency: Dependency) =>
    withDocumentLock(workspace, document, async () => {
      // Another compilation may have launched it in the meantime.
      const [now] = (await documentStatus(workspace, { ...document, dependencies: [dependency] })).statuses
      if (now?.run) return now.run
      const run = await launchDependency(workspace, document, dependency, tree, steps.interruption)
      launched.add(run.id)
      return run
    })
  for (const status of inOrder) {
    if (status.run) runs.set(status.dependency, status.run)
    else if (!isWaitedFor(status)) runs.set(status.dependency, await launch(status.dependency))
  }
  for (const { dependency } of inOrder) {
    const run = runs.get(dependency) ?? (await launch(dependency))
    const isNew = launched.has(run.id)
    const ended = isNew || !isOver(run.counts) ? await steps.follow(run, isNew) : run
    if (ended.status !== 'finished') {
      throw new OperationError(
        `run ${ended.id} of ${dependencyText(dependency)} did not finish (${ended.status}), and ${document.name} needs it`,
        `qanat why ${ended.id}        qanat run_retry ${ended.id}`,
      )
    }
    runs.set(dependency, ended)
  }
  return runs
}

async function launchDependency(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  tree: TreeState,
  interruption: AbortSignal,
): Promise<Run> {
  const { experiment, runArgsFile, runner, container, commitSha } = dependency
  const atRoot = { ...workspace, cwd: workspace.project.root }
  const resolved = await resolveRequest(atRoot, {
    experiment,
    experimentArguments: [],
    options: {
      ...dependency.runnerParameters,
      runner,
      ...(container !== null && { container }),
      ...(runArgsFile !== null && { param_file: absolutePath(workspace, runArgsFile) }),
      tag: [document.name, 'compile'],
      description: `for the document ${document.name}`,
      snapshot: 'always',
    },
  })
  const commit = commitSha === null ? tree.head : await resolveCommit(tree, commitSha)
  return launchResolved(atRoot, resolved, async () => ({ state: tree, commit, patch: null }), interruption)
}

/** Two compilations at the same time would launch a run twice, and take half-made exports of each other for the user's files. */
function withDocumentLock<Result>(
  { project }: Workspace,
  { name }: Document,
  work: () => Promise<Result>,
): Promise<Result> {
  return withProjectLock(project, `compile-${name}`, work)
}

async function exportOf(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  run: Run,
  steps: CompileSteps,
): Promise<void> {
  const { action, actionArguments } = dependency
  let called: ActionOutcome | null = null
  if (action !== null) {
    const request = { action, words: actionArguments, document: document.name, interruption: steps.interruption }
    called = await runAction(workspace, [{ run, group: null }], request, steps.output)
  }
  const missing = missingFiles(workspace, dependency, run)
  if (missing.length > 0) {
    throw new OperationError(
      `${missingText(workspace, run, missing, `run ${run.id} of ${run.experiment}`)}${action === null ? '' : `, and the action ${action} made none`}`,
      `ls ${run.storagePath}        lists its files; qanat document update ${document.name}        changes which files the document needs`,
    )
  }
  const files = await withDocumentLock(workspace, document, () =>
    exportFiles(workspace, document, dependency, run, called, steps.make),
  )
  steps.exported(run, files)
}

function scriptOf({ compileScript: executable, compileScriptCommand: executableCommand }: Document) {
  return { executable, executableCommand }
}

async function callCompileScript(
  workspace: Workspace,
  document: Document,
  words: readonly string[],
  { interruption, output }: CompileSteps,
): Promise<void> {
  const cwd = absolutePath(workspace, document.path)
  const { code, isInterrupted } = await callScript(scriptOf(document), words, { cwd, output })
  if (code === 0) return
  if (isInterrupted || interruption.aborted) {
    throw new InterruptedError(`the compile script of ${document.name} was interrupted; the document is not compiled`)
  }
  throw new OperationError(
    `the compile script of ${document.name} ended with code ${code}; the document is not compiled`,
    `its output is above; it ran in ${document.path}`,
  )
}

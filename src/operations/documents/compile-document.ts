import type { Dependency, DependencyStatus, Document, StoredDocument } from '../../domain/documents/document.js'
import { newestOf, type Provider, targetsOf, withoutHoles } from '../../domain/documents/provider.js'
import type { Run } from '../../domain/runs/run.js'
import { programOf } from '../../domain/runs/run-plan.js'
import { InterruptedError, OperationError, UserError } from '../../errors.js'
import { callScript } from '../../project/scripts/user-script.js'
import { type ActionOutcome, runAction } from '../actions/run-action.js'
import { findAction } from '../registry/find-action.js'
import { absolutePath, readFolder, type Workspace } from '../workspace.js'
import { Compilation } from './compilation.js'
import { documentStatus } from './document-status.js'
import { exportFiles, type MakeProduct } from './export-files.js'
import { warnOfFormerExports } from './former-exports.js'
import { fetchMissing, missingOf, missingText } from './missing-files.js'
import { refuseForeign } from './own-exports.js'
import { provideStages, type RunSteps, withDocumentLock } from './provide-runs.js'
import { refuseUncommitted } from './uncommitted.js'

/** Callbacks during a compilation. */
export interface CompileSteps extends RunSteps {
  /** Reports the state of the dependencies, before anything is done. */
  readonly found: (statuses: readonly DependencyStatus[]) => void
  readonly exported: (runs: readonly Run[], files: readonly string[]) => void
  readonly make: MakeProduct
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
  const toProvide = steps.force ? statuses.map(status => ({ ...status, provider: null })) : statuses
  refuseUncommitted(workspace, { tree, statuses: toProvide })
  await withDocumentLock(workspace, document, async () => refuseForeign(workspace, document, statuses))
  for (const { experiment, action } of document.dependencies) {
    if (action !== null) findAction(workspace, experiment, action)
  }
  const providers = await provideStages(workspace, document, tree, toProvide, steps)
  workspace.store.documents.setCompiled(document.name, null)
  const compilation = new Compilation(workspace, document)
  for (const [dependency, provider] of providers) await exportOf(workspace, document, dependency, provider, steps)
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

async function exportOf(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  provider: Provider,
  steps: CompileSteps,
): Promise<void> {
  const { experiment, action, actionArguments } = dependency
  let called: ActionOutcome | null = null
  if (action !== null) {
    const request = { action, words: actionArguments, document: document.name, interruption: steps.interruption }
    called = await runAction(workspace, targetsOf(withoutHoles(provider)), request, steps.output)
  }
  await fetchMissing(workspace, dependency, provider)
  const newest = newestOf(provider)
  const missing = missingOf(workspace, dependency, provider)
  if (missing.length > 0) {
    throw new OperationError(
      `${missingText(workspace, newest, missing, `run ${newest.id} of ${experiment}`)}${action === null ? '' : `, and the action ${action} made none`}`,
      `${readFolder(workspace, newest).isMirror ? `qanat run_fetch ${newest.id}        fetches its files` : `ls ${newest.storagePath}        lists its files`}; qanat document update ${document.name}        changes which files the document needs`,
    )
  }
  const files = await withDocumentLock(workspace, document, () =>
    exportFiles(workspace, document, dependency, provider, called, steps.make),
  )
  steps.exported(provider.runs, files)
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

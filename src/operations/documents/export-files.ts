import { basename, join } from 'node:path'
import {
  actionText,
  type Dependency,
  type Document,
  exportFolder,
  providedFiles,
} from '../../domain/documents/document.js'
import { type Product, productCommand } from '../../domain/documents/product.js'
import { holesOf, newestOf, type Provider, placeOfFile, wordsOf } from '../../domain/documents/provider.js'
import type { RunSource } from '../../domain/made-from.js'
import { argumentsOf } from '../../domain/parameters/grid.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { callOf, commandOf } from '../../domain/runs/run-plan.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { OperationError, UserError } from '../../errors.js'
import { type ActionNote, type ExportNote, patchPath } from '../../project/documents/export-note.js'
import { contentOfExport, exportFile, writeNote } from '../../project/documents/exported-file.js'
import { readText } from '../../project/yaml/yaml-source.js'
import type { ActionOutcome } from '../actions/run-action.js'
import { sourcesOf } from '../origins/sources.js'
import { findAction } from '../registry/find-action.js'
import { actionScript } from '../registry/script-file.js'
import { addedArguments } from '../runs/run-details.js'
import { absolutePath, type Workspace } from '../workspace.js'
import { makeRoom } from './own-exports.js'

/** Makes a product of runs and groups. @param runs their words @param path absolute; its folder exists */
export type MakeProduct = (product: Product, experiment: string, runs: readonly string[], path: string) => Promise<void>

/**
 * Copies the files that a document uses to its `exports/`, and makes what it needs besides, each with a note on its
 * origin.
 * @param called the action that was called before; null without one
 * @returns their paths relative to the folder of the document
 */
export async function exportFiles(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  provider: Provider,
  called: ActionOutcome | null,
  make: MakeProduct,
): Promise<string[]> {
  const folder = absolutePath(workspace, document.path)
  const names = providedFiles(dependency)
  const exported = names.map(file => `${exportFolder(dependency)}/${file}`)
  const { experiment } = dependency
  const newest = newestOf(provider)
  const origins = new Map((await sourcesOf(workspace, provider.runs)).map(origin => [origin.id, origin]))
  const holes = holesOf(provider)
  let isNoted = true
  for (const [index, file] of names.entries()) {
    const target = join(folder, exported[index]!)
    await makeRoom(workspace, document, dependency, provider, file)
    const product = dependency.products.find(each => each.file === file)
    const place = product ? { run: newest, file: '' } : placeOfFile(provider, file)!
    const { run } = place
    const source = join(run.storagePath, place.file)
    exportFile({ target, source: product ? null : absolutePath(workspace, source) })
    const words = wordsOf(provider)
    if (product) await explained(document, product, () => make(product, experiment, words, target))
    const content = (await contentOfExport(target))!
    const action = called && actionNote(workspace, dependency, called, basename(patchPath(target)))
    const made = product && {
      ...{ command: productCommand(product, experiment, words), content },
      after_action: action,
    }
    const others = product ? provider.runs.filter(({ id }) => id !== run.id) : []
    const note = {
      ...noteOn(workspace, document, dependency, run, origins.get(run.id)!, product ? null : action),
      ...(others.length > 0 && { other_runs: others.map(({ id }) => origins.get(id)!) }),
      ...(holes.length > 0 && { missing: holes }),
      ...{ content, made: made ?? null, source },
    }
    const summary = `run ${run.id} of ${run.experiment} at ${run.commit}: ${note.command}`
    isNoted = await writeNote(target, note, called?.script.patch ?? null, summary)
  }
  if (!isNoted) {
    const place = join(document.path, exportFolder(dependency))
    workspace.warn(
      `the files in ${place} have only the notes beside them, and no extended attribute: install setfattr or python3`,
    )
  }
  return exported
}

/** Errors of commands do not say for which file of which document they ran. */
async function explained(document: Document, { file }: Product, make: () => Promise<void>): Promise<void> {
  try {
    await make()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new OperationError(`${file} of the document ${document.name} cannot be made: ${error.message}`, error.hint)
  }
}

/** @param patch name of the file with the uncommitted changes of the script */
function actionNote(
  workspace: Workspace,
  dependency: Dependency,
  { script, tree }: ActionOutcome,
  patch: string,
): ActionNote {
  const action = findAction(workspace, dependency.experiment, dependency.action!)
  return {
    command: actionText(dependency)!,
    script: actionScript(workspace, dependency.experiment, action) ?? action.executable,
    commit: script.commit,
    patch: script.patch && patch,
    content: script.content,
    tree,
  }
}

function noteOn(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  run: Run,
  origin: RunSource,
  action: ActionNote | null,
): Omit<ExportNote, 'content' | 'made' | 'source'> {
  const { token, grid, experiment, datasetPaths, attempts } = workspace.store.runs.launch(run.id)
  const command = commandOf(
    {
      ...callOf(experiment),
      place: { there: run.storagePath },
      groupCount: totalOf(run.counts),
      datasetPaths,
      argumentsOf: index => argumentsOf(grid, index),
      environment: { arguments: addedArguments(attempts[0]!) },
    },
    0,
  )
  return {
    document: document.name,
    experiment: run.experiment,
    run: run.id,
    token,
    commit: run.commit,
    code_used: run.codeUsed,
    environments: origin.environments,
    data: origin.data,
    run_args_file: dependency.runArgsFile,
    run_args: dependency.runArgsFile && readText(absolutePath(workspace, dependency.runArgsFile)),
    groups: totalOf(run.counts),
    command: displayCommand(command),
    runner: run.runner,
    container: run.runnerParameters.container?.image ?? null,
    action,
    exported: new Date().toISOString(),
  }
}

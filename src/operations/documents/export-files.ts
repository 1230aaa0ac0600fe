import { basename, join } from 'node:path'
import type { ScriptState } from '../../code/script-state.js'
import { actionText, type Dependency, type Document, exportFolder } from '../../domain/document.js'
import { argumentsOf } from '../../domain/parameters/grid.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { commandOf, programOf } from '../../domain/runs/run-plan.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { type ActionNote, type ExportNote, notePath, noteText, patchPath } from '../../project/export-note.js'
import { readText } from '../../project/yaml/yaml-source.js'
import { setExtendedAttribute } from '../../system/extended-attribute.js'
import { atomicWrite, copyFile, removeFile } from '../../system/files.js'
import { findAction } from '../runs/run-action.js'
import { addedArguments } from '../runs/run-details.js'
import { absolutePath, type Workspace } from '../workspace.js'

/**
 * Copies the files of a run that a document uses to its `exports/`, each with a note on its origin.
 * @param script of the action that made them; null without one
 * @returns their paths relative to the folder of the document
 */
export async function exportFiles(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  run: Run,
  script: ScriptState | null,
): Promise<string[]> {
  const folder = absolutePath(workspace, document.path)
  const exported = dependency.files.map(file => `${exportFolder(dependency)}/${file}`)
  let isNoted = true
  for (const [index, file] of dependency.files.entries()) {
    const target = join(folder, exported[index]!)
    copyFile(join(absolutePath(workspace, run.storagePath), file), target)
    if (script?.patch) atomicWrite(patchPath(target), script.patch)
    else removeFile(patchPath(target))
    const action = script && actionNote(workspace, dependency, script, basename(patchPath(target)))
    const note = noteOn(workspace, document, dependency, run, file, action)
    atomicWrite(notePath(target), noteText(note))
    const summary = `run ${run.id} of ${run.experiment} at ${run.commit}: ${note.command}`
    isNoted = await setExtendedAttribute(target, 'user.qanat.metadata', summary)
  }
  if (!isNoted) {
    const place = join(document.path, exportFolder(dependency))
    workspace.warn(
      `the files in ${place} have only the notes beside them, and no extended attribute: install setfattr or python3`,
    )
  }
  return exported
}

/** @param patch name of the file with the uncommitted changes of the script */
function actionNote(workspace: Workspace, dependency: Dependency, script: ScriptState, patch: string): ActionNote {
  return {
    command: actionText(dependency)!,
    script: findAction(workspace, dependency.experiment, dependency.action!).executable,
    commit: script.commit,
    patch: script.patch && patch,
    content: script.content,
  }
}

function noteOn(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  run: Run,
  file: string,
  action: ActionNote | null,
): ExportNote {
  const { token, grid, experiment, datasetPaths, attempts } = workspace.store.runs.launch(run.id)
  const command = commandOf(
    {
      ...programOf(experiment),
      storagePath: run.storagePath,
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
    run_args_file: dependency.runArgsFile,
    run_args: dependency.runArgsFile && readText(absolutePath(workspace, dependency.runArgsFile)),
    groups: totalOf(run.counts),
    command: displayCommand(command),
    runner: run.runner,
    container: run.runnerParameters.container?.image ?? null,
    action,
    source: join(run.storagePath, file),
    exported: new Date().toISOString(),
  }
}

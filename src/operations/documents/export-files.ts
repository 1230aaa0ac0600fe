import { join } from 'node:path'
import { type Dependency, type Document, exportFolder } from '../../domain/document.js'
import { argumentsOf } from '../../domain/parameters/grid.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { commandOf, programOf } from '../../domain/runs/run-plan.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { type ExportNote, notePath, noteText } from '../../project/export-note.js'
import { setExtendedAttribute } from '../../system/extended-attribute.js'
import { atomicWrite, copyFile } from '../../system/files.js'
import { addedArguments } from '../runs/run-details.js'
import { absolutePath, type Workspace } from '../workspace.js'

/**
 * Copies the files of a run that a document uses to its `exports/`, each with a note on its origin.
 * @returns their paths relative to the folder of the document
 */
export async function exportFiles(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  run: Run,
): Promise<string[]> {
  const folder = absolutePath(workspace, document.path)
  const exported = dependency.files.map(file => `${exportFolder(dependency)}/${file}`)
  for (const [index, file] of dependency.files.entries()) {
    const target = join(folder, exported[index]!)
    copyFile(join(absolutePath(workspace, run.storagePath), file), target)
    const note = noteOn(workspace, document, dependency, run, file)
    atomicWrite(notePath(target), noteText(note))
    const summary = `run ${run.id} of ${run.experiment} at ${run.commit}: ${note.command}`
    await setExtendedAttribute(target, 'user.qanat.metadata', summary)
  }
  return exported
}

function noteOn(workspace: Workspace, document: Document, dependency: Dependency, run: Run, file: string): ExportNote {
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
    groups: totalOf(run.counts),
    command: displayCommand(command),
    runner: run.runner,
    container: run.runnerParameters.container?.image ?? null,
    action: dependency.action === null ? null : displayCommand([dependency.action, ...dependency.actionArguments]),
    source: join(run.storagePath, file),
    exported: new Date().toISOString(),
  }
}

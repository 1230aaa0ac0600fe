import { join } from 'node:path'
import { contentOfScript } from '../../code/script-state.js'
import {
  actionText,
  type Dependency,
  type DependencyStatus,
  type Document,
  exportFolder,
  providedFiles,
} from '../../domain/documents/document.js'
import { productCommand } from '../../domain/documents/product.js'
import { newestOf, type Provider, placeOfFile, wordsOf } from '../../domain/documents/provider.js'
import type { Action } from '../../domain/experiment.js'
import { readNote } from '../../project/documents/export-note.js'
import { contentOfExport, isUpToDate } from '../../project/documents/exported-file.js'
import { whatIsAt } from '../../project/paths.js'
import { presenceOf } from '../../runfolder/files/presence.js'
import { ActionFiles } from '../actions/action-tree.js'
import { findExperiment } from '../registry/find-experiment.js'
import { actionScript } from '../registry/script-file.js'
import { absolutePath, readFolder, type Workspace } from '../workspace.js'

/** Whether what a provider provides is exported as it is now. */
export async function exportStatus(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  provider: Provider,
): Promise<DependencyStatus> {
  const folder = join(absolutePath(workspace, document.path), exportFolder(dependency))
  const stale = (why: string) => ({ dependency, state: 'stale', provider, changed: [], why }) as const
  const action = actionText(dependency)
  const registered = registeredAction(workspace, dependency)
  const script = registered ? (actionScript(workspace, dependency.experiment, registered) ?? registered.executable) : ''
  const scriptPath = absolutePath(workspace, script)
  const content = await contentOfScript(scriptPath)
  const beside = registered && new ActionFiles(workspace, dependency.experiment, registered)
  let doubt = ''
  for (const file of providedFiles(dependency)) {
    const exported = join(folder, file)
    const note = readNote(exported)
    const product = dependency.products.find(each => each.file === file)
    const place = product ? null : placeOfFile(provider, file)
    const run = place?.run ?? newestOf(provider)
    if (whatIsAt(exported) === null || note === null) {
      return stale(product ? `${file} is not made yet` : `${file} of run ${run.id} is not exported yet`)
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
      const command = productCommand(product, dependency.experiment, wordsOf(provider))
      if (note.made?.command !== command) return stale(`${file} was made by other options`)
      if (note.made.content !== (await contentOfExport(exported))) return stale(`${file} has changed since it was made`)
      continue
    }
    const path = place?.file ?? file
    const source = join(absolutePath(workspace, run.storagePath), path)
    const presence = presenceOf(readFolder(workspace, run), path)
    // Then the note says what was exported.
    if (presence === 'not fetched' && note.content === (await contentOfExport(exported))) continue
    if (presence !== 'there') return stale(`${file} is no longer in run ${run.id}`)
    if (!isUpToDate({ source, target: exported })) return stale(`${file} has changed since it was exported`)
  }
  return { dependency, state: 'up to date', provider, changed: [], why: doubt }
}

/** The action of a dependency; undefined if it has none or it is no longer registered. */
function registeredAction(workspace: Workspace, { experiment, action }: Dependency): Action | undefined {
  return findExperiment(workspace, experiment).actions.find(({ name }) => name === action)
}

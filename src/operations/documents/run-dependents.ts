import { join } from 'node:path'
import { type Document, exportFolder, providedFiles } from '../../domain/documents/document.js'
import type { Run } from '../../domain/runs/run.js'
import { fewInSentence } from '../../domain/text/names.js'
import { readNote } from '../../project/documents/export-note.js'
import { realPath } from '../../project/paths.js'
import { readersOf } from '../data/read-runs.js'
import { leftRunning, processesLeft } from '../refresh/processes-left.js'
import { absolutePath, type Workspace } from '../workspace.js'

/**
 * What depends on the folder of a run, each as a sentence: processes that it has left, datasets that lie in it, runs that have read
 * it, files that documents have from it.
 */
export function dependentsOf(workspace: Workspace, run: Run): string[] {
  const folder = `${realPath(absolutePath(workspace, run.storagePath))}/`
  const isInside = (path: string) => `${realPath(absolutePath(workspace, path))}/`.startsWith(folder)
  const datasets = workspace.store.datasets.list().filter(({ path }) => path !== null && isInside(path))
  const documents = workspace.store.documents.list().flatMap(document => {
    const files = filesFrom(workspace, document, run)
    if (files.length === 0) return []
    return [
      `${fewInSentence(files)} of document ${document.name} ${files.length === 1 ? 'is' : 'are'} from run ${run.id}`,
    ]
  })
  const running = leftRunning(run, processesLeft(workspace, run))
  const still = running === '' ? [] : [`run ${run.id} has left running: ${running}`]
  const readers = readersOf(workspace, run).map(
    ({ id, experiment }) => `run ${id} of ${experiment} has read files of run ${run.id}`,
  )
  return [...still, ...datasets.map(({ name }) => `dataset ${name} lies in run ${run.id}`), ...readers, ...documents]
}

/** The exported files of a document that come from a run, relative to their folders. */
function filesFrom(workspace: Workspace, { path, dependencies }: Document, { id }: Run): string[] {
  const token = workspace.store.runs.token(id)
  return dependencies.flatMap(dependency => {
    const folder = join(absolutePath(workspace, path), exportFolder(dependency))
    return providedFiles(dependency).filter(file => {
      const note = readNote(join(folder, file))
      return note?.run === id && note.token === token
    })
  })
}

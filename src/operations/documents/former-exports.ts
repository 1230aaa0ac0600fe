import { join } from 'node:path'
import { type Document, exportFolder, providedFiles } from '../../domain/documents/document.js'
import { fewInSentence } from '../../domain/text/names.js'
import { notedFiles, readNote } from '../../project/documents/export-note.js'
import { absolutePath, storedPath, type Workspace } from '../workspace.js'

/** A warning must not take long, however much somebody keeps there. */
const limit = { files: 10_000, milliseconds: 1_000 }

/**
 * Warns of files that were exported once and are not written any more, as after an experiment got another name: a paper that
 * still uses them shows old results. They are the user's to remove.
 */
export function warnOfFormerExports(workspace: Workspace, document: Document): void {
  const exportsOf = ({ path }: Document) => join(absolutePath(workspace, path), 'exports')
  const folder = exportsOf(document)
  const documents = workspace.store.documents.list().filter(other => exportsOf(other) === folder)
  const written = new Set(
    documents.flatMap(({ path, dependencies }) =>
      dependencies.flatMap(each =>
        providedFiles(each).map(file => join(absolutePath(workspace, path), exportFolder(each), file)),
      ),
    ),
  )
  const former = notedFiles([folder], limit).filter(file => !written.has(file) && readNote(file) !== null)
  if (former.length === 0) return
  const [are, them] = former.length === 1 ? ['is', 'it'] : ['are', 'them']
  workspace.warn(
    `${fewInSentence(former.map(file => storedPath(workspace, file)))} ${are} from an earlier export, and no document writes ${them} any more
if ${document.name} still uses ${them}, it shows old results; remove ${them} once nothing does`,
  )
}

import { join } from 'node:path'
import {
  type Dependency,
  type DependencyStatus,
  type Document,
  exportFolder,
  providedFiles,
} from '../../domain/document.js'
import type { Run } from '../../domain/runs/run.js'
import { fewInSentence } from '../../domain/text/names.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import { type Export, isForeign, putEditedExportAside } from '../../project/documents/exported-file.js'
import { absolutePath, storedPath, type Workspace } from '../workspace.js'

/** @throws UserError if a compilation would overwrite files that Qanat has not exported */
export function refuseForeign(workspace: Workspace, document: Document, statuses: readonly DependencyStatus[]): void {
  const exports = statuses.flatMap(({ dependency, run }) =>
    providedFiles(dependency).map(file => exportOf(workspace, document, dependency, run, file)),
  )
  refuse(workspace, document, exports.filter(isForeign))
}

/**
 * Makes room for an export. A former export that somebody has edited gets another name, which is told.
 * @throws UserError see {@link refuseForeign}
 */
export async function makeRoom(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  run: Run,
  file: string,
): Promise<void> {
  const wanted = exportOf(workspace, document, dependency, run, file)
  // Somebody may have put it there while a run was awaited.
  if (isForeign(wanted)) refuse(workspace, document, [wanted])
  const aside = await putEditedExportAside(wanted)
  if (aside === null) return
  workspace.warn(`${storedPath(workspace, wanted.target)} was edited; it is kept as ${storedPath(workspace, aside)}`)
}

function refuse(workspace: Workspace, { name, path }: Document, foreign: readonly Export[]): void {
  const files = foreign.map(({ target }) => storedPath(workspace, target))
  const [first, ...others] = files
  if (first === undefined) return
  const kept = others.length === 0 ? first : join(path, 'exports')
  throw new UserError(
    `compiling ${name} would overwrite ${fewInSentence(files)}, which Qanat has not exported: ${others.length === 0 ? 'it has' : 'they have'} no note`,
    `${displayCommand(['mv', kept, `${kept}.mine`])}        keeps what is there`,
  )
}

function exportOf(
  workspace: Workspace,
  document: Document,
  dependency: Dependency,
  run: Run | null,
  file: string,
): Export {
  const isMade = dependency.products.some(product => product.file === file)
  return {
    target: join(absolutePath(workspace, document.path), exportFolder(dependency), file),
    source: run === null || isMade ? null : join(absolutePath(workspace, run.storagePath), file),
  }
}

import { join } from 'node:path'
import {
  type Dependency,
  type DependencyStatus,
  type Document,
  exportFolder,
  providedFiles,
} from '../../domain/documents/document.js'
import { type Provider, placeOfFile } from '../../domain/documents/provider.js'
import { fewInSentence } from '../../domain/text/names.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import { type Export, isForeign, putEditedExportAside } from '../../project/documents/exported-file.js'
import { absolutePath, storedPath, type Workspace } from '../workspace.js'

/** @throws UserError if a compilation would overwrite files that Qanat has not exported */
export function refuseForeign(workspace: Workspace, document: Document, statuses: readonly DependencyStatus[]): void {
  const exports = statuses.flatMap(({ dependency, provider }) =>
    providedFiles(dependency).map(file => exportOf(workspace, document, dependency, provider, file)),
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
  provider: Provider,
  file: string,
): Promise<void> {
  const wanted = exportOf(workspace, document, dependency, provider, file)
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
  provider: Provider | null,
  file: string,
): Export {
  const place = provider && placeOfFile(provider, file)
  const isMade = dependency.products.some(product => product.file === file)
  return {
    target: join(absolutePath(workspace, document.path), exportFolder(dependency), file),
    source: isMade || !place ? null : join(absolutePath(workspace, place.run.storagePath), place.file),
  }
}

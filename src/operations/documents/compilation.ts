import { join } from 'node:path'
import { type Document, exportFolder, providedFiles } from '../../domain/documents/document.js'
import {
  type CompiledFile,
  compileNotePath,
  readCompileNote,
  removeCompileNote,
  type UsedExport,
  writeCompileNote,
} from '../../project/documents/compile-note.js'
import { readNote } from '../../project/documents/export-note.js'
import { digestsIn, WatchedPlaces } from '../../project/scripts/written-files.js'
import { absolutePath, storedPath, type Workspace } from '../workspace.js'

/** Records what the compile script of a document writes in the folder of the document and directly in that of the project. */
export class Compilation {
  private readonly path: string
  private readonly former: readonly CompiledFile[]

  constructor(
    private readonly workspace: Workspace,
    private readonly document: Document,
  ) {
    const folder = absolutePath(workspace, document.path)
    this.path = compileNotePath(folder, document.name)
    const former = readCompileNote(this.path)
    this.former = former?.made ?? []
    // Until this one has succeeded, the document is not compiled, for a repaired database either.
    if (former === null || former.edited) removeCompileNote(this.path)
    else writeCompileNote(this.path, { ...former, last: false })
  }

  /** @param call calls the script; its error is thrown, and nothing is kept @param words of its command @param commit that is checked out */
  async record(call: () => Promise<void>, words: readonly string[], commit: string): Promise<void> {
    const { workspace, document } = this
    const watched = this.watch()
    await call()
    const { changes, complete } = await watched.changes()
    const there = changes.filter(({ change }) => change !== 'removed')
    const written = there.map(({ path, size, digest }): CompiledFile => {
      return { path: storedPath(workspace, path), size, digest }
    })
    const note = {
      ...{ document: document.name, last: true, compiled: new Date().toISOString(), command: words, commit },
      made: [...written, ...(await this.kept(written))],
      complete,
      exports: exportsOf(workspace, document),
    }
    writeCompileNote(this.path, note)
  }

  /** What an earlier compilation has written, and a script that makes only what is out of date has left as it was. */
  private async kept(written: readonly CompiledFile[]): Promise<CompiledFile[]> {
    const paths = new Set(written.map(({ path }) => path))
    const others = this.former.filter(({ path }) => !paths.has(path))
    const placeOf = (path: string) => absolutePath(this.workspace, path)
    const digests = await digestsIn(others.map(({ path, size }) => ({ path: placeOf(path), size })))
    return others.filter(({ path, digest }) => digest !== null && digest === digests.get(placeOf(path)))
  }

  private watch(): WatchedPlaces {
    const { workspace, document } = this
    const folder = absolutePath(workspace, document.path)
    const places = [
      { path: folder, deep: true },
      { path: workspace.project.root, deep: false },
    ]
    return new WatchedPlaces(places, path => !path.startsWith(`${join(folder, 'exports')}/`))
  }
}

function exportsOf(workspace: Workspace, document: Document): UsedExport[] {
  const folder = absolutePath(workspace, document.path)
  const paths = document.dependencies.flatMap(each => providedFiles(each).map(file => `${exportFolder(each)}/${file}`))
  return paths.flatMap(path => {
    const note = readNote(join(folder, path))
    return note ? [{ path, content: note.content, run: note.run, token: note.token }] : []
  })
}

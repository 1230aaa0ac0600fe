import { join } from 'node:path'
import { type Document, exportFolder, providedFiles } from '../../domain/document.js'
import {
  type CompiledFile,
  compileNotePath,
  compileNoteText,
  readCompileNote,
  type UsedExport,
} from '../../project/documents/compile-note.js'
import { readNote } from '../../project/documents/export-note.js'
import { atomicWrite, removeFile } from '../../system/files.js'
import { changesBetween, digestsOf, type Listing, listFiles } from '../../system/folders/listing.js'
import { absolutePath, storedPath, type Workspace } from '../workspace.js'

/** How much is looked at before the compile script, and after it. Nobody should have to wait for a record. */
const limits = { files: 100_000, milliseconds: 1_000 }
/** Contents that are read, to be found later. */
const reading = { milliseconds: 2_000, largest: 1_000_000_000 }

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
    if (former === null || former.edited) removeFile(this.path)
    else atomicWrite(this.path, compileNoteText({ ...former, last: false }))
  }

  /** @param call calls the script; its error is thrown, and nothing is kept @param words of its command @param commit that is checked out */
  async record(call: () => Promise<void>, words: readonly string[], commit: string): Promise<void> {
    const { workspace, document } = this
    const [started, before] = [Date.now(), this.look()]
    await call()
    const after = this.look()
    const changes = changesBetween(before, after, started).filter(({ change }) => change !== 'removed')
    const digests = await digestsOf(changes, reading)
    const written = changes.map(({ path, size }, at): CompiledFile => {
      return { path: storedPath(workspace, path), size, digest: digests[at]! }
    })
    const note = {
      ...{ document: document.name, last: true, compiled: new Date().toISOString(), command: words, commit },
      made: [...written, ...(await this.kept(written))],
      complete: before.complete && after.complete,
      exports: exportsOf(workspace, document),
    }
    atomicWrite(this.path, compileNoteText(note))
  }

  /** What an earlier compilation has written, and a script that makes only what is out of date has left as it was. */
  private async kept(written: readonly CompiledFile[]): Promise<CompiledFile[]> {
    const paths = new Set(written.map(({ path }) => path))
    const others = this.former.filter(({ path }) => !paths.has(path))
    const there = others.map(({ path, size }) => ({ path: absolutePath(this.workspace, path), size }))
    const digests = await digestsOf(there, reading)
    return others.filter(({ digest }, at) => digest !== null && digest === digests[at])
  }

  private look(): Listing {
    const { workspace, document } = this
    const folder = absolutePath(workspace, document.path)
    const places = [
      { path: folder, deep: true },
      { path: workspace.project.root, deep: false },
    ]
    const { files, ...listing } = listFiles(places, limits)
    const own = [...files].filter(([path]) => !path.startsWith(`${join(folder, 'exports')}/`))
    return { ...listing, files: new Map(own) }
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

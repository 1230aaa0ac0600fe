import type { Run } from '../../domain/runs/run.js'
import { absolutePath, storedPath } from '../workspace.js'
import { compileNotes, exportedFiles } from './exported-files.js'
import type { Origin } from './origin.js'
import { isSame, nothing, runNamed, type Search } from './search.js'

/** Files that documents have exported, by the notes beside them, and the note beside the file itself. */
export async function exported(search: Search, runs: readonly Run[]): Promise<Origin[]> {
  const { workspace, file, digest } = search
  const origins: Origin[] = []
  for (const { path, note } of exportedFiles(workspace, [file])) {
    const isItself = path === file
    if (!isItself && !(await isSame(search, path))) continue
    const changed = note.content !== digest
    for (const { id, token } of [{ id: note.run, token: note.token }, ...note.others]) {
      const run = runNamed(search, id, token)
      if (run !== null && !runs.some(each => each.id === run.id)) continue
      const doubts = [
        ...(note.edited ? ['the note beside it was edited'] : []),
        ...(changed ? ['it has changed since it was exported'] : []),
        ...(run === null ? [`its note names run ${id} of ${note.experiment}, which is not in this project`] : []),
      ]
      const facts = { run, path: storedPath(workspace, path), document: note.document }
      origins.push({ ...nothing, kind: 'export', ...facts, doubt: doubts.length > 0 ? doubts.join('; ') : null })
    }
  }
  return origins
}

/** Files that compile scripts of documents have written, a line for each run whose exports were there. */
export function compiled(search: Search, runs: readonly Run[]): Origin[] {
  const { workspace, file, size, digest } = search
  return compileNotes(workspace).flatMap(note => {
    const isThere = ({ path }: { path: string }) => absolutePath(workspace, path) === file
    const made = note.made.find(each => each.size === size && each.digest === digest && (size > 0 || isThere(each)))
    const found = made ?? note.made.find(isThere)
    if (!found) return []
    const doubts = [
      ...(note.edited ? ['the note on its compilation was edited'] : []),
      ...(made
        ? []
        : [found.digest === null ? 'it was too large to be read then' : 'it has changed since it was compiled']),
    ]
    const named = new Map(note.exports.map(({ run, token }) => [run, runNamed(search, run, token)]))
    const known = [...named.values()].filter(run => run === null || runs.some(({ id }) => id === run.id))
    if (known.length === 0 && named.size > 0) return []
    const facts = { kind: 'compilation', path: found.path, document: note.document, command: note.command } as const
    const lost = [...named].flatMap(([id, run]) => (run ? [] : [`it names run ${id}, which is not in this project`]))
    const doubt = [...doubts, ...lost].join('; ') || null
    const origins = (known.length === 0 ? [null] : known).map(run => {
      return { ...nothing, ...facts, run, compilation: note, doubt }
    })
    return origins
  })
}

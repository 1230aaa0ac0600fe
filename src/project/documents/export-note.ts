import { readFileSync } from 'node:fs'
import { parse, stringify } from 'yaml'
import type { ActionTree } from '../../domain/action-record.js'
import type { RunSource } from '../../domain/made-from.js'
import { type Limit, listFiles } from '../../system/folders/listing.js'
import { isEdited, sealed } from '../yaml/seal.js'

/** The origin of an exported file, written as YAML beside that file. */
export interface ExportNote {
  readonly document: string
  readonly experiment: string
  readonly run: number
  /** Distinguishes the run from one with the same id in another project. */
  readonly token: string
  /** The other runs of which a table, a plot or a report was made; missing if there are none. */
  readonly other_runs?: readonly RunSource[]
  /** The groups that have not finished, and without which the document does, with their causes; missing if there are none. */
  readonly missing?: readonly string[]
  readonly commit: string
  /** Hash of what counts as code of the run; null if git did not have the code. */
  readonly code_used: string | null
  /** The environments of its groups. */
  readonly environments: RunSource['environments']
  readonly data: RunSource['data']
  readonly run_args_file: string | null
  /** The content of that file; null without one. */
  readonly run_args: string | null
  readonly groups: number
  /** Command of the first group. */
  readonly command: string
  readonly runner: string
  readonly container: string | null
  /** The action that made it; null without one. */
  readonly action: ActionNote | null
  /** Digest of the exported file. */
  readonly content: string
  /** How a table, a plot or a report was made; null for a copied file. */
  readonly made: MadeNote | null
  /** Folder of the run, relative to the project if it lies inside. */
  readonly source: string
  /** ISO 8601. */
  readonly exported: string
}

/** An action that was called for an exported file, and its script, which is not part of the run. */
export interface ActionNote {
  /** Its name and arguments. */
  readonly command: string
  /** Relative to the project where it lies inside. */
  readonly script: string
  /** The last commit that changed the script; null if no commit contains it. */
  readonly commit: string | null
  /** Name of the file beside the note with the script's uncommitted changes; null if there were none. */
  readonly patch: string | null
  /** Digest of the script's content; null for a folder. */
  readonly content: string | null
  /** What the script found beside it; null where git could not tell. */
  readonly tree: ActionTree | null
}

/** How a table, a plot or a report of a run was made. */
interface MadeNote {
  readonly command: string
  /** Digest of the file. */
  readonly content: string
  /** The action that was called before it was made, which may have written metrics; null without one. */
  readonly after_action: ActionNote | null
}

/** Path of the patch that goes with the note on an exported file. */
export function patchPath(file: string): string {
  return `${file}.qanat.patch`
}

/** What the name of a note has behind that of its file. */
export const noteEnd = '.qanat.txt'

/** Path of the note on an exported file. */
export function notePath(file: string): string {
  return `${file}${noteEnd}`
}

/** The files in some folders beside which there is a note, absolute. @param folders of exports, absolute */
export function notedFiles(folders: readonly string[], limit: Limit): string[] {
  const places = folders.map(path => ({ path, deep: true }))
  const { files } = listFiles(places, limit)
  return [...files.keys()].filter(path => files.has(notePath(path)))
}

/** The text of a note. Its last line is a digest of the others, by which edits are noticed. */
export function noteText(note: ExportNote): string {
  const text = `# Exported by Qanat; 'qanat document status ${note.document}' tells whether it is up to date.\n${stringify(note, { lineWidth: 0 })}`
  return sealed(text, 'seal: ')
}

/** The parts of a note that tell where an exported file is from, and whether it is up to date. */
export interface ExportOrigin
  extends Pick<ExportNote, 'run' | 'token' | 'document' | 'experiment' | 'commit' | 'source' | 'content'> {
  /** The other runs that are in it. */
  readonly others: readonly Pick<RunSource, 'id' | 'token'>[]
  /** When it was exported, in milliseconds since the epoch. */
  readonly exported: number
  /** Whether somebody has edited the note since it was written. */
  readonly edited: boolean
  /** The action that was called for the file, with its arguments; null without one. */
  readonly action: string | null
  /** Digest of its script; null without an action, and for a folder. */
  readonly script: string | null
  /** What the script found beside it; null without an action, and where git could not tell. */
  readonly tree: ActionTree | null
  /** Null for a copied file. */
  readonly made: Pick<MadeNote, 'command' | 'content'> | null
}

/** The origin of an exported file; null if there is no readable note. */
export function readNote(file: string): ExportOrigin | null {
  try {
    const text = readFileSync(notePath(file), 'utf8')
    const { run, token, document, experiment, commit, source, made, content, ...note } = parse(text) as ExportNote
    // Somebody may have edited it.
    const texts = [token, document, experiment, commit, source, content]
    if (typeof run !== 'number' || texts.some(each => typeof each !== 'string')) return null
    const exported = Date.parse(note.exported)
    if (Number.isNaN(exported)) return null
    const called = note.action ?? made?.after_action ?? null
    return {
      ...{ run, token, document, experiment, commit, source, made, content, exported, edited: isEdited(text) },
      others: note.other_runs ?? [],
      ...{ action: called?.command ?? null, script: called?.content ?? null, tree: called?.tree ?? null },
    }
  } catch {
    return null
  }
}

import { readFileSync } from 'node:fs'
import { parse, stringify } from 'yaml'

/** Where a file comes from that a document uses; it lies beside that file, as YAML. */
export interface ExportNote {
  readonly document: string
  readonly experiment: string
  readonly run: number
  /** What tells the run from one of the same number in another project. */
  readonly token: string
  readonly commit: string
  readonly run_args_file: string | null
  readonly groups: number
  /** Of the first group. */
  readonly command: string
  readonly runner: string
  readonly container: string | null
  readonly action: string | null
  /** Of the run, relative to the project where it lies inside. */
  readonly source: string
  /** ISO 8601. */
  readonly exported: string
}

/** Path of the note on an exported file. */
export function notePath(file: string): string {
  return `${file}.qanat.txt`
}

export function noteText(note: ExportNote): string {
  return `# Exported by Qanat; 'qanat document status ${note.document}' tells whether it is up to date.\n${stringify(note, { lineWidth: 0 })}`
}

/** Which run an exported file is of; null where nothing says so. */
export function readNote(file: string): Pick<ExportNote, 'run' | 'token'> | null {
  try {
    const note = parse(readFileSync(notePath(file), 'utf8')) as Partial<ExportNote> | null
    return typeof note?.run === 'number' ? { run: note.run, token: String(note.token) } : null
  } catch {
    return null
  }
}

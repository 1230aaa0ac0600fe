import { readFileSync } from 'node:fs'
import { parse, stringify } from 'yaml'

/** The origin of an exported file, written as YAML beside that file. */
export interface ExportNote {
  readonly document: string
  readonly experiment: string
  readonly run: number
  /** Distinguishes the run from one with the same id in another project. */
  readonly token: string
  readonly commit: string
  readonly run_args_file: string | null
  readonly groups: number
  /** Command of the first group. */
  readonly command: string
  readonly runner: string
  readonly container: string | null
  readonly action: string | null
  /** Folder of the run, relative to the project if it lies inside. */
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

/** The run that an exported file comes from; null if there is no readable note. */
export function readNote(file: string): Pick<ExportNote, 'run' | 'token'> | null {
  try {
    const note = parse(readFileSync(notePath(file), 'utf8')) as Partial<ExportNote> | null
    return typeof note?.run === 'number' ? { run: note.run, token: String(note.token) } : null
  } catch {
    return null
  }
}

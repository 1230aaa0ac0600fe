import type { DeletedRun } from '../operations/runs/trash.js'
import { counted } from './format/counted.js'
import { byteText } from './format/sizes.js'
import type { Style } from './format/style.js'
import type { Column } from './model.js'
import { terminalTable } from './render/terminal.js'

/** Deleted runs that can still be restored. */
export interface Trash {
  readonly runs: number
  readonly bytes: number
}

/** Columns of the list of deleted runs. */
export const trashColumns: readonly Column<DeletedRun>[] = [
  { key: 'id', title: 'Run', value: ({ id }) => id },
  { key: 'experiment', title: 'Experiment', value: ({ experiment }) => experiment },
  { key: 'storage_path', title: 'Path', value: ({ storagePath }) => storagePath },
  { key: 'bytes', title: 'Size', value: ({ bytes }) => bytes, text: ({ bytes }) => byteText(bytes) },
]

/** The deleted runs, one a line. */
export function trashTable(style: Style, rows: readonly DeletedRun[]): string {
  if (rows.length === 0) return 'The trash is empty'
  return terminalTable({ columns: trashColumns, rows }, style, 'whole')
}

/** The number of deleted runs and their size. */
export function trashText({ runs, bytes }: Trash): string {
  return `${counted(runs, 'deleted run')}, ${byteText(bytes)}`
}

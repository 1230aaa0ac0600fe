import { fewOf } from '../domain/text/names.js'
import type { CachedCode, CleanedCache, Kept } from '../operations/project/cache.js'
import { counted } from './format/counted.js'
import { byteText } from './format/sizes.js'
import type { Style } from './format/style.js'
import type { Column } from './model.js'
import { terminalTable } from './render/terminal.js'
import { type Trash, trashText } from './trash.js'

/** Columns of the list of frozen copies. */
export const cacheColumns: readonly Column<CachedCode>[] = [
  { key: 'name', title: 'Code', value: ({ name }) => name },
  { key: 'bytes', title: 'Size', value: ({ bytes }) => bytes, text: ({ bytes }) => byteText(bytes) },
  { key: 'runs', title: 'Runs', value: ({ runs }) => runs, text: ({ runs }) => runsText(runs) },
  { key: 'in_use', title: 'In use', value: ({ isUsed }) => isUsed, text: ({ isUsed }) => (isUsed ? 'yes' : '') },
]

function runsText(runs: CachedCode['runs']): string {
  if (runs.length === 0) return 'none'
  return `${runs.length} (${runs.length === 1 ? 'run' : 'the last is run'} ${Math.max(...runs)})`
}

/** The cache, one copy a line, and the size of the trash. */
export function cacheTable(style: Style, codes: readonly CachedCode[], trash: Trash): string {
  const deleted = trash.runs > 0 ? `\n\nIn the trash: ${trashText(trash)}` : ''
  if (codes.length === 0) return `The cache holds no frozen copy${deleted}`
  return terminalTable({ columns: cacheColumns, rows: codes }, style, 'whole') + deleted
}

/** A summary of what was removed and what was kept. */
export function cleanedText({ removed, kept, hasUsed, stages }: CleanedCache): string {
  const bytes = removed.reduce((sum, code) => sum + code.bytes, 0)
  const names = removed.map(({ name }) => name).join(', ')
  const lines = [
    ...(removed.length > 0 ? [`Removed ${names}: ${byteText(bytes)}`] : []),
    ...(stages > 0 ? [`Removed ${counted(stages, 'folder')} of links that no run has read`] : []),
    ...kept.map(each => `Kept .qanat/cache/${each.name}, ${keptText(each)}`),
  ]
  return (
    lines.join('\n') ||
    `Nothing to remove: ${hasUsed ? 'what is in the cache is in use' : 'the cache holds no frozen copy'}`
  )
}

function keptText({ name, left }: Kept): string {
  if (left === 'foreign')
    return "which git does not know as a frozen copy of Qanat's: keep what you need of it, and remove it yourself"
  if (left === 'written')
    return `which scripts have written as ../${name}: keep what you need of it, and remove it once no run uses it`
  return `where scripts have left ${fewOf(left)}`
}

import { columns } from './format/columns.js'
import { byteText } from './format/sizes.js'

interface CachedCode {
  readonly name: string
  readonly bytes: number
  readonly runs: readonly number[]
  readonly isUsed: boolean
}

/** Deleted runs that can still be taken back. */
interface Trash {
  readonly runs: number
  readonly bytes: number
}

/** The cache, a copy a line, and what is in the trash. */
export function cacheTable(codes: readonly CachedCode[], trash: Trash): string {
  const deleted = trash.runs > 0 ? `\n\nIn the trash: ${trashText(trash)}` : ''
  if (codes.length === 0) return `The cache is empty${deleted}`
  const rows = codes.map(({ name, bytes, runs, isUsed }) => [
    name,
    byteText(bytes),
    runs.length > 0 ? `${runs.length} (${runs.length === 1 ? 'run' : 'the last is run'} ${Math.max(...runs)})` : 'none',
    isUsed ? 'yes' : '',
  ])
  return columns([['Code', 'Size', 'Runs', 'In use'], ...rows]) + deleted
}

/** What was removed. */
export function cleanedText(removed: readonly CachedCode[], trash: Trash): string {
  const bytes = removed.reduce((sum, code) => sum + code.bytes, 0)
  const lines = [
    ...(trash.runs > 0 ? [`Removed for good: ${trashText(trash)}`] : []),
    ...(removed.length > 0 ? [`Removed ${removed.map(({ name }) => name).join(', ')}: ${byteText(bytes)}`] : []),
  ]
  return lines.join('\n') || 'Nothing to remove: what is in the cache is in use'
}

function trashText({ runs, bytes }: Trash): string {
  return `${runs} deleted run${runs === 1 ? '' : 's'}, ${byteText(bytes)}`
}

import { columns } from './columns.js'
import { byteText } from './sizes.js'

interface CachedCode {
  readonly name: string
  readonly bytes: number
  readonly runs: readonly number[]
  readonly isUsed: boolean
}

/** The cache, a copy a line. */
export function cacheTable(codes: readonly CachedCode[]): string {
  if (codes.length === 0) return 'The cache is empty'
  const rows = codes.map(({ name, bytes, runs, isUsed }) => [
    name,
    byteText(bytes),
    runs.length > 0 ? `${runs.length} (${runs.length === 1 ? 'run' : 'the last is run'} ${Math.max(...runs)})` : 'none',
    isUsed ? 'yes' : '',
  ])
  return columns([['Code', 'Size', 'Runs', 'In use'], ...rows])
}

/** What was removed. */
export function cleanedText(removed: readonly CachedCode[]): string {
  if (removed.length === 0) return 'Nothing to remove: what is in the cache is in use'
  const bytes = removed.reduce((sum, code) => sum + code.bytes, 0)
  return `Removed ${removed.map(({ name }) => name).join(', ')}: ${byteText(bytes)}`
}

import type { Run } from '../../domain/runs/run.js'
import { counted } from '../format/counted.js'
import { displayableLine } from '../format/displayable.js'
import { byteText } from '../format/sizes.js'
import type { JsonObject } from '../render/json.js'

/** At most this many paths are named; the others are counted. */
const named = 3

interface FetchedFile {
  readonly path: string
  /** In bytes. */
  readonly size: number
}

/** What has come of a run, and what has not. */
export interface FetchedFiles {
  readonly run: Run
  readonly came: readonly FetchedFile[]
  readonly stayed: readonly FetchedFile[]
  /** Links that lead out of the folder of the run. */
  readonly outside: readonly string[]
}

/** What has come, and what stays where it is. */
export function fetchedLines({ run, came, stayed, outside }: FetchedFiles): string {
  const lines = [
    came.length === 0 ? `Nothing else of run ${run.id} came.` : `${totalText(came)} came into ${run.storagePath}.`,
  ]
  if (stayed.length > 0)
    lines.push(
      `Not fetched: ${totalText(stayed)}: ${some(stayed.map(({ path }) => path))}. All files: qanat run_fetch ${run.id} --all`,
    )
  if (outside.length > 0) lines.push(`Not followed, since they lead out of the folder of the run: ${some(outside)}`)
  return lines.join('\n')
}

/** The same for programs: numbers of files, and bytes. */
export function fetchedJson({ came, stayed, outside }: FetchedFiles): JsonObject {
  const totals = (files: readonly FetchedFile[]) => ({ files: files.length, bytes: bytesOf(files) })
  return { came: totals(came), not_fetched: totals(stayed), links_outside: outside }
}

function totalText(files: readonly FetchedFile[]): string {
  return `${counted(files.length, 'file')} (${byteText(bytesOf(files))})`
}

function bytesOf(files: readonly FetchedFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

function some(paths: readonly string[]): string {
  const shown = paths.slice(0, named).map(displayableLine).join(', ')
  return paths.length > named ? `${shown} and ${paths.length - named} more` : shown
}

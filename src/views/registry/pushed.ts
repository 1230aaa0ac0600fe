import { counted } from '../format/counted.js'
import { displayableLine } from '../format/displayable.js'
import { byteText } from '../format/sizes.js'
import type { JsonObject } from '../render/json.js'

interface SentFile {
  /** In bytes. */
  readonly size: number
}

/** A dataset that lies in a context now. */
interface Pushed {
  readonly name: string
  readonly context: string
  /** Where it lies there. */
  readonly path: string
  readonly files: readonly SentFile[]
  readonly sent: readonly SentFile[]
  /** Paths that could not be read. */
  readonly skipped: readonly string[]
}

/** What was sent, and where it lies. */
export function pushedText({ name, context, path, files, sent, skipped }: Pushed): string {
  const lines = [
    `${name} is on ${context} now, with ${counted(files.length, 'file')} (${byteText(bytesOf(files))}): ${displayableLine(path)}`,
    sent.length === 0
      ? 'All of them were there.'
      : `Sent: ${counted(sent.length, 'file')} (${byteText(bytesOf(sent))}).`,
    ...(skipped.length > 0
      ? [
          `Not sent, since they cannot be read: ${skipped.slice(0, 3).map(displayableLine).join(', ')}${skipped.length > 3 ? ' …' : ''}`,
        ]
      : []),
  ]
  return lines.join('\n')
}

/** That a copy is gone. @param path where it lay there; null if there was none */
export function removedText(name: string, context: string, path: string | null): string {
  return path === null
    ? `No copy of ${name} is on ${context}.`
    : `The copy of ${name} on ${context} is removed: ${displayableLine(path)}`
}

/** The same for programs. */
export function pushedJson({ name, context, path, files, sent, skipped }: Pushed): JsonObject {
  const totals = (all: readonly SentFile[]) => ({ files: all.length, bytes: bytesOf(all) })
  return { dataset: name, context, path, ...totals(files), sent: totals(sent), skipped }
}

function bytesOf(files: readonly SentFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

import { createHash } from 'node:crypto'
import { renewCheck } from './png.js'

/** What stands in a record before the digest of its file, which is put into this place once the file is whole. */
const mark = 'qanat-seal:'
const length = 64
export const placeOfSeal = `${mark}${'0'.repeat(length)}`

/** A file with its digest in its record, by which a change of the record or of anything else is noticed. */
export function sealedFile(file: string | Uint8Array): Buffer {
  const bytes = Buffer.from(file)
  const at = bytes.indexOf(placeOfSeal)
  return at === -1 ? bytes : withSeal(bytes, at + mark.length, digestOf(bytes))
}

/** Whether a file is as it was sealed. */
export function isAsSealed(file: Uint8Array): boolean {
  const bytes = Buffer.from(file)
  const at = bytes.indexOf(mark) + mark.length
  return at >= mark.length && sealedFile(withSeal(bytes, at, '0'.repeat(length))).equals(file)
}

function withSeal(bytes: Buffer, at: number, seal: string): Buffer {
  bytes.write(seal, at, 'latin1')
  renewCheck(bytes, at)
  return bytes
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

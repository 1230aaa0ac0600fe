import { crc32 } from '../../domain/crc32.js'

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Computes the check of a chunk again whose content has changed; in a file that is no PNG, nothing. @param at in the content */
export function renewCheck(png: Buffer, at: number): void {
  if (!png.subarray(0, signature.length).equals(signature)) return
  for (let start = signature.length; start + 8 <= at; ) {
    const end = start + 8 + png.readUInt32BE(start)
    if (at < end && end + 4 <= png.length) png.writeUInt32BE(crc32(png.subarray(start + 4, end)), end)
    start = end + 4
  }
}

/** A PNG with a text behind its header (the chunk tEXt). @param text in Latin-1 */
export function pngWithText(png: Uint8Array, keyword: string, text: string): Uint8Array {
  const body = Buffer.from(`tEXt${keyword}\0${text}`, 'latin1')
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length - 4)
  check.writeUInt32BE(crc32(body))
  // The signature has 8 bytes; the header, which comes first, 25.
  const header = 33
  return Buffer.concat([png.subarray(0, header), length, body, check, png.subarray(header)])
}

import { crc32 } from '../../domain/crc32.js'

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

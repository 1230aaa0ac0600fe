import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** What is in a compressed output, as it comes. @throws what the output throws */
export async function* unzipped(output: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const compressed = Readable.from(output)
  const gunzip = createGunzip()
  compressed.on('error', error => gunzip.destroy(error))
  yield* compressed.pipe(gunzip)
}

import { fstatSync, writeFileSync } from 'node:fs'

/**
 * Makes a stream report an error if a file does not take all that is written to it. By itself it takes a short write, as on a
 * disk that is almost full, for a whole one. Terminals and pipes are left alone.
 */
export function requireWholeOutput(stream: typeof process.stdout): void {
  if (!fstatSync(stream.fd).isFile()) return
  stream._write = (chunk: Uint8Array, _encoding, done) => {
    try {
      writeFileSync(stream.fd, chunk)
      done()
    } catch (error) {
      done(error as Error)
    }
  }
}

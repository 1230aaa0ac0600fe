import { closeSync, fstatSync, writeFileSync } from 'node:fs'

/**
 * Makes a stream report an error if a file does not keep all that is written to it. By itself it takes a short write, as on a
 * disk that is almost full, for a whole one, and never learns what NFS says when the file is closed. Terminals and pipes are
 * left alone.
 * @param failed called at the end of a process that has not failed otherwise, if the file cannot be closed
 */
export function requireWholeOutput(stream: typeof process.stdout, failed: (error: Error) => void): void {
  if (!fstatSync(stream.fd).isFile()) return
  stream._write = (chunk: Uint8Array, _encoding, done) => {
    try {
      writeFileSync(stream.fd, chunk)
      done()
    } catch (error) {
      done(error as Error)
    }
  }
  process.once('exit', code => {
    try {
      closeSync(stream.fd)
    } catch (error) {
      if (code === 0) failed(error as Error)
    }
  })
}

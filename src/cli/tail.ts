import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

/** Copies what is added to a file to a stream, from one call to the next. */
export class Tail {
  private position = 0
  private readonly decoder = new StringDecoder('utf8')
  private readonly buffer = Buffer.alloc(65_536)

  constructor(
    private readonly path: string,
    private readonly stream: NodeJS.WritableStream,
    /** Printed once, before the first of it. */
    private readonly title = '',
  ) {}

  /** Copies everything that was added since the last call. */
  pump(): void {
    if (!existsSync(this.path)) return
    const file = openSync(this.path, 'r')
    try {
      for (;;) {
        const size = readSync(file, this.buffer, 0, this.buffer.length, this.position)
        if (size === 0) return
        if (this.position === 0) this.stream.write(this.title)
        this.position += size
        this.stream.write(this.decoder.write(this.buffer.subarray(0, size)))
      }
    } finally {
      closeSync(file)
    }
  }
}

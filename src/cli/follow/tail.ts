import { closeSync, existsSync, openSync, readSync } from 'node:fs'

/** Copies what is added to a file to a stream, byte for byte, from one call to the next. */
export class Tail {
  private position = 0

  constructor(
    private readonly path: string,
    private readonly stream: NodeJS.WritableStream,
    /** Written once, before the first of it. */
    private readonly title = '',
  ) {}

  /** Whether nothing was copied so far. */
  get isEmpty(): boolean {
    return this.position === 0
  }

  /** Copies everything that was added since the last call. */
  pump(): void {
    if (!existsSync(this.path)) return
    const file = openSync(this.path, 'r')
    try {
      for (;;) {
        const chunk = Buffer.alloc(65_536)
        const size = readSync(file, chunk, 0, chunk.length, this.position)
        if (size === 0) return
        if (this.position === 0) this.stream.write(this.title)
        this.position += size
        this.stream.write(chunk.subarray(0, size))
      }
    } finally {
      closeSync(file)
    }
  }
}

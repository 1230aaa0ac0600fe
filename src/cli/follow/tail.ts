import { appended } from '../../system/appended.js'

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
    for (const piece of appended(this.path, this.position)) {
      if (this.position === 0) this.stream.write(this.title)
      this.position += piece.length
      this.stream.write(piece)
    }
  }
}

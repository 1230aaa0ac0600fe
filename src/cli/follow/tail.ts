import { appended } from '../../system/appended.js'

/** What is written where another file goes on than the one before, as `tail -f` does. */
export class Headings {
  private last = ''

  constructor(private readonly stream: NodeJS.WritableStream) {}

  /** Tells that something of the file with this title is about to be written. */
  before(title: string): void {
    if (title !== this.last) this.stream.write(`==> ${title} <==\n`)
    this.last = title
  }
}

/** Copies what is added to a file to a stream, byte for byte, from one call to the next. */
export class Tail {
  private position = 0

  constructor(
    private readonly path: string,
    private readonly stream: NodeJS.WritableStream,
    private readonly title = '',
    private readonly headings: Headings | null = null,
  ) {}

  /** Whether nothing was copied so far. */
  get isEmpty(): boolean {
    return this.position === 0
  }

  /** Copies everything that was added since the last call. */
  pump(): void {
    for (const piece of appended(this.path, this.position)) {
      this.headings?.before(this.title)
      this.position += piece.length
      this.stream.write(piece)
    }
  }
}

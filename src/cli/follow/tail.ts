import { appended as entriesOf } from '../../runfolder/evidence/appended.js'
import type { LogFile } from '../../runners/types.js'
import { appended } from '../../system/appended.js'

/** Headings between the texts of different files, as `tail -f` writes them. */
export class Headings {
  private last = ''

  constructor(private readonly stream: NodeJS.WritableStream) {}

  before(title: string): void {
    if (title !== this.last) this.stream.write(`==> ${title} <==\n`)
    this.last = title
  }
}

/** Copies what is added to a file to a stream, byte for byte. */
export class Tail {
  private readonly place = { offset: 0 }
  private hasCopied = false

  /** @param headings shared by all files whose text is mixed; null for a single file */
  constructor(
    private readonly file: Pick<LogFile, 'path' | 'only'> & { readonly title?: string },
    private readonly stream: NodeJS.WritableStream,
    private readonly headings: Headings | null = null,
  ) {}

  get isEmpty(): boolean {
    return !this.hasCopied
  }

  pump(): void {
    for (const piece of this.file.only ? this.entries(this.file.only) : this.bytes()) {
      this.headings?.before(this.file.title ?? '')
      this.hasCopied = true
      this.stream.write(piece)
    }
  }

  private *bytes(): Generator<Uint8Array> {
    for (const piece of appended(this.file.path, this.place.offset)) {
      this.place.offset += piece.length
      yield piece
    }
  }

  private *entries({ pattern, end }: NonNullable<LogFile['only']>): Generator<string> {
    for (const piece of entriesOf(this.file.path, this.place, end)) {
      const wanted = piece.split(end).filter(entry => pattern.test(entry))
      if (wanted.length > 0) yield `${wanted.join(end)}${end}`
    }
  }
}

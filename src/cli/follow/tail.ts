import { appended as entriesOf } from '../../runfolder/evidence/appended.js'
import type { LogFile } from '../../runners/types.js'
import { appended } from '../../system/appended.js'

/** Copies what is added to a file to a stream, byte for byte, from one call to the next. */
export class Tail {
  private readonly place = { offset: 0 }
  private hasCopied = false

  constructor(
    private readonly path: string,
    private readonly stream: NodeJS.WritableStream,
    /** Written once, before the first of it. */
    private readonly title = '',
    /** The entries that are copied; without it, all. */
    private readonly only?: LogFile['only'],
  ) {}

  /** Whether nothing was copied so far. */
  get isEmpty(): boolean {
    return !this.hasCopied
  }

  /** Copies everything that was added since the last call. */
  pump(): void {
    for (const piece of this.only ? this.entries(this.only) : this.bytes()) {
      if (!this.hasCopied) this.stream.write(this.title)
      this.hasCopied = true
      this.stream.write(piece)
    }
  }

  private *bytes(): Generator<Uint8Array> {
    for (const piece of appended(this.path, this.place.offset)) {
      this.place.offset += piece.length
      yield piece
    }
  }

  private *entries({ pattern, end }: NonNullable<LogFile['only']>): Generator<string> {
    for (const piece of entriesOf(this.path, this.place, end)) {
      const wanted = piece.split(end).filter(entry => pattern.test(entry))
      if (wanted.length > 0) yield `${wanted.join(end)}${end}`
    }
  }
}

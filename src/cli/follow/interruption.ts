/** Handles Ctrl-C from the start of a command to its end, without a gap. */
export class Interruption {
  private readonly controller = new AbortController()
  private action: () => void = () => {}

  /** @param reason what the signal is aborted with at the first Ctrl-C */
  constructor(private readonly reason: Error) {
    process.on('SIGINT', this.interrupt)
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Calls `action` at every Ctrl-C from now on, and at once if there was one already. */
  handle(action: () => void): void {
    this.action = action
    if (this.signal.aborted) action()
  }

  close(): void {
    process.off('SIGINT', this.interrupt)
  }

  private readonly interrupt = () => {
    this.controller.abort(this.reason)
    this.action()
  }
}

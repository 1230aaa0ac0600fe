import type { State } from '../../views/explore/state.js'

/** Something that happened. */
export type Event =
  | { readonly key: string }
  /** The state has become another one, or the screen has to be drawn again. */
  | { readonly change: (state: State) => State }
  /** The end. */
  | { readonly code: number }

/** What happened, in order. */
export class Events {
  private readonly waiting: Event[] = []
  private wake: () => void = () => {}
  /** Aborted by Ctrl-C while something is under way. */
  interruption = new AbortController()

  add(event: Event): void {
    this.waiting.push(event)
    this.wake()
  }

  key(key: string): void {
    if (key === 'ctrl-c') this.interruption.abort()
    this.add({ key })
  }

  spoiled(): void {
    this.add({ change: state => state })
  }

  end(code: number): void {
    this.interruption.abort()
    this.add({ code })
  }

  get hasKey(): boolean {
    return this.waiting.some(event => 'key' in event)
  }

  async next(): Promise<Event> {
    while (this.waiting.length === 0) {
      await new Promise<void>(resolve => {
        this.wake = resolve
      })
    }
    return this.waiting.shift()!
  }

  /** Waits for a key; one that only goes on is taken, any other is kept. */
  async goOn(): Promise<void> {
    const isKey = (event: Event) => 'key' in event || 'code' in event
    while (!this.waiting.some(isKey)) {
      await new Promise<void>(resolve => {
        this.wake = resolve
      })
    }
    const at = this.waiting.findIndex(isKey)
    const event = this.waiting[at]!
    if ('key' in event && ['enter', ' ', 'escape', 'q'].includes(event.key)) this.waiting.splice(at, 1)
  }
}

import type { State } from '../../views/explore/state.js'

/** Something that happened. */
export type Event =
  | { readonly key: string }
  /** The state has changed, or the screen has to be drawn again. */
  | { readonly change: (state: State) => State }
  | { readonly code: number }

/** Keys that leave what is shown, and do nothing else. */
const goingOn = ['enter', ' ', 'escape', 'q', 'left']

/** Whether somebody typed something, or wants the program to end. */
const isKey = (event: Event) => 'key' in event || 'code' in event

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
    while (this.waiting.length === 0) await this.more()
    return this.waiting.shift()!
  }

  /** Waits for a key; one that only goes on is taken, any other is kept. */
  async goOn(): Promise<void> {
    while (!this.waiting.some(isKey)) await this.more()
    this.takeGoOn()
  }

  takeGoOn(): void {
    const at = this.waiting.findIndex(isKey)
    const event = this.waiting[at]
    if (event && 'key' in event && goingOn.includes(event.key)) this.waiting.splice(at, 1)
  }

  /** Forgets the keys that were typed so far, waits for another one, and forgets that, too. Ctrl-C is kept. */
  async newKey(): Promise<void> {
    this.forgetKeys()
    while (!this.waiting.some(isKey)) await this.more()
    this.forgetKeys()
  }

  private forgetKeys(): void {
    const kept = this.waiting.filter(event => !('key' in event) || event.key === 'ctrl-c')
    this.waiting.splice(0, this.waiting.length, ...kept)
  }

  private more(): Promise<void> {
    return new Promise(resolve => {
      this.wake = resolve
    })
  }
}

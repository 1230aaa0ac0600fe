import type { Size } from '../../views/explore/state.js'
import { readKeys } from './keys.js'

const { stdin, stdout, stderr } = process

/** The other screen, without a cursor; lines that are too long are not broken. */
const opening = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J'
const closing = '\x1b[?7h\x1b[?25h\x1b[?1049l'
/** The same screen, ready for another program. */
const lending = '\x1b[?7h\x1b[?25h\x1b[2J\x1b[H'
/** Terminals that know these show all changes between them at once. */
const [together, shown] = ['\x1b[?2026h', '\x1b[?2026l']

/** How long the end of an escape sequence may be on its way, in milliseconds. */
const patience = 50

const endings = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const

interface Listener {
  key(key: string): void
  /** The screen has another size, or was used by others: draw it again. */
  spoiled(): void
  /** Somebody wants the program to end with this code. */
  end(code: number): void
}

/**
 * The whole terminal, with its other screen, and its keys if they come from one. However the program ends, the terminal is
 * as it was before. What is written to stderr meanwhile would spoil the screen: it is shown afterwards, and once if it is
 * written again and again.
 */
export class Terminal {
  private state: 'closed' | 'open' | 'lent' = 'closed'
  private lines: readonly string[] = []
  private rest = ''
  private timer: NodeJS.Timeout | undefined
  private readonly held = new Set<string>()
  private readonly write = stderr.write

  constructor(private readonly listener: Listener) {}

  get size(): Size {
    return { columns: Math.max(1, stdout.columns ?? 80), rows: Math.max(1, stdout.rows ?? 24) }
  }

  open(): void {
    if (stdin.isTTY) stdin.setEncoding('utf8')
    this.listen('on')
    this.take()
  }

  close(): void {
    this.restore()
    clearTimeout(this.timer)
    this.listen('off')
  }

  private listen(how: 'on' | 'off'): void {
    if (stdin.isTTY) {
      stdin[how]('data', this.read)
      stdin[how]('end', this.hangUp)
      stdin[how]('error', this.hangUp)
    }
    stdout[how]('resize', this.spoil)
    process[how]('exit', this.restore)
    process[how]('uncaughtExceptionMonitor', this.restore)
    process[how]('SIGTSTP', this.stop)
    process[how]('SIGCONT', this.goOn)
    for (const signal of Object.keys(endings)) process[how](signal, this.end)
  }

  draw(lines: readonly string[]): void {
    if (this.state !== 'open') return
    const changed = lines.flatMap((line, at) => (line === this.lines[at] ? [] : `\x1b[${at + 1};1H\x1b[2K${line}`))
    this.lines = lines
    if (changed.length > 0) stdout.write(`${together}${changed.join('')}${shown}`)
  }

  /** Stops the program as Ctrl-Z does elsewhere; the shell continues it. */
  suspend(): void {
    // As the terminal would do it: whoever waits for this program in the same job stops, too.
    process.kill(0, 'SIGTSTP')
  }

  /**
   * Lends the terminal to a program, which gets the keys.
   * @param work whether the user has seen what it showed
   * @param seen waits until the user has, with a key; asked only if needed
   */
  async lend(work: () => Promise<boolean>, seen: () => Promise<void>): Promise<void> {
    this.giveBack(lending)
    this.state = 'lent'
    // Node.js stops reading only then.
    await new Promise(resolve => setImmediate(resolve))
    try {
      if (await work()) return
      this.takeKeys(true)
      // Keys that were typed meanwhile are read first.
      await new Promise(resolve => setImmediate(resolve))
      stdout.write('\r\n[Enter: back]')
      await seen()
    } finally {
      this.take()
      this.listener.spoiled()
    }
  }

  private take(): void {
    this.state = 'open'
    this.lines = []
    this.takeKeys(true)
    stdout.write(opening)
    if (stderr.isTTY) {
      stderr.write = (text: string | Uint8Array) => {
        this.held.add(text.toString())
        return true
      }
    }
  }

  private takeKeys(isOn: boolean): void {
    if (!stdin.isTTY) return
    stdin.setRawMode(isOn)
    stdin[isOn ? 'resume' : 'pause']()
  }

  private giveBack(codes: string): void {
    this.takeKeys(false)
    stdout.write(codes)
    stderr.write = this.write
  }

  private readonly restore = () => {
    // The program to which it was lent may have ended with this one.
    if (this.state !== 'closed') this.giveBack(closing)
    this.state = 'closed'
    for (const text of this.held) stderr.write(text)
    this.held.clear()
  }

  private readonly stop = () => {
    if (this.state === 'open') this.giveBack(closing)
    process.off('SIGTSTP', this.stop)
    // Without a shell that could continue it, the program is not stopped.
    process.kill(process.pid, 'SIGTSTP')
    setImmediate(() => {
      process.on('SIGTSTP', this.stop)
      this.goOn()
    })
  }

  /** Whoever stopped and continued it may have changed the modes of the terminal. */
  private readonly goOn = () => {
    if (this.state !== 'open') return
    this.take()
    this.listener.spoiled()
  }

  private readonly end = (signal: NodeJS.Signals) => {
    // Ctrl-C belongs to the program to which the terminal was lent.
    if (this.state === 'lent' && signal === 'SIGINT') return
    const code = 128 + endings[signal as keyof typeof endings]
    if (signal === 'SIGINT') return this.listener.end(code)
    this.restore()
    process.exit(code)
  }

  private readonly hangUp = () => this.listener.end(129)

  private readonly spoil = () => {
    this.lines = []
    this.listener.spoiled()
  }

  private readonly read = (text: string) => {
    clearTimeout(this.timer)
    this.readAll(this.rest + text, false)
    if (this.rest !== '') this.timer = setTimeout(() => this.readAll(this.rest, true), patience)
  }

  private readAll(text: string, isAll: boolean): void {
    const { keys, rest } = readKeys(text, isAll)
    this.rest = rest
    for (const key of keys) this.listener.key(key)
  }
}

import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { lacks, skips } from '../skips.js'
import { lives, sessionLives } from './processes.js'
import { type Folder, program, quote, until } from './project.js'

/** Whether there can be a {@link Screen}. */
export const hasTerminal = !skips('what is shown on a terminal', lacks('tmux'))

let count = 0

/** A terminal, of 120 by 50 where nothing else is said, that shows what one command draws: a pane of a tmux server of its own. */
export class Screen {
  private readonly socket = `qanat-test-${process.pid}-${count++}`

  /** Starts shell code in the folder, in which `qanat` is the built program. */
  constructor(folder: Pick<Folder, 'path' | 'environment'>, code: string, [width, height] = [120, 50]) {
    onTestFinished(() => this.close())
    const qanat = `qanat() { ${quote(process.execPath)} ${quote(program)} "$@"; }`
    // The shell outlives Ctrl-C, tells the exit code and stays, so that all can still be seen.
    const text = `${qanat}\ntrap : INT\n${code}\necho "[exit $?]"\ncat`
    const session = ['new-session', '-d', '-x', `${width}`, '-y', `${height}`, text]
    execFileSync('tmux', ['-u', '-L', this.socket, '-f', '/dev/null', ...session], {
      cwd: folder.path,
      env: { ...folder.environment, SHELL: '/bin/sh' },
    })
  }

  /** What can be seen now. */
  text(): string {
    return this.tmux('capture-pane', '-p', '-J').trimEnd()
  }

  /** The same with the escape codes that draw it. */
  coloured(): string {
    return this.tmux('capture-pane', '-p', '-e').trimEnd()
  }

  /** Whether there is a cursor. */
  hasCursor(): boolean {
    return this.tmux('display-message', '-p', '#{cursor_flag}').trim() === '1'
  }

  /** Waits until these texts can be seen, one behind the other. */
  async shows(...texts: string[]): Promise<void> {
    const areShown = (shown: string) => {
      let end = 0
      return texts.every(text => {
        const start = shown.indexOf(text, end)
        end = start + text.length
        return start !== -1
      })
    }
    if (texts.length > 0) await until(() => this.text(), areShown)
  }

  /** Types a text as it is, then waits for what {@link shows}. */
  type(text: string, ...shown: string[]): Promise<void> {
    this.tmux('send-keys', '-l', '--', text)
    return this.shows(...shown)
  }

  /** Presses a key by the name that tmux gives it, such as `Enter` or `C-c`, then waits for what {@link shows}. */
  press(key: string, ...shown: string[]): Promise<void> {
    this.tmux('send-keys', '--', key)
    return this.shows(...shown)
  }

  /** Gives the terminal another size. */
  resize(width: number, height: number): void {
    this.tmux('resize-window', '-x', `${width}`, '-y', `${height}`)
  }

  /** Answers a question once it can be seen; an empty answer takes what it offers. */
  async answer(question: string, answer: string): Promise<void> {
    await this.shows(question)
    if (answer !== '') this.type(answer)
    this.press('Enter')
  }

  /** The exit code, once the command has ended. */
  async exitCode(): Promise<number> {
    return Number((await until(() => /^\[exit (\d+)\]$/m.exec(this.text())))[1])
  }

  /** Ends the terminal, and waits for it and all that runs in it: shells write their history into the folder before they end. */
  private async close(): Promise<void> {
    const [leader, server] = this.tmux('display-message', '-p', '#{pane_pid} #{pid}').split(' ').map(Number)
    this.tmux('kill-server')
    await until(() => !sessionLives(leader!) && !lives(server!))
  }

  private tmux(...args: string[]): string {
    return execFileSync('tmux', ['-u', '-L', this.socket, ...args], { encoding: 'utf8' })
  }
}

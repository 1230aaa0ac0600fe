import { QanatCommand } from '../cli/base-command.js'
import { NotAProjectError } from '../errors.js'
import type { Style } from '../views/format/style.js'
import { age } from '../views/format/times.js'
import { overviewText, startText } from '../views/project.js'

const week = 7 * 86_400_000 // milliseconds
/** How many events are shown after a week. */
const reminders = 5

/** `qanat` alone: where one is and what to type next, from what is stored. */
export default class Overview extends QanatCommand {
  static override summary = 'Show where you are and what to type next'

  async run(): Promise<void> {
    this.parsed = true
    try {
      const { root } = this.place()
      const { experiments, runs } = await this.store()
      const facts = { root, experiments: experiments.names(), live: runs.live(), last: runs.last(null) }
      const [style, now] = [await this.style(), Date.now()]
      this.print(overviewText(style, facts, now))
      if (facts.last !== null && now - (facts.last.finished ?? facts.last.launched) > week)
        await this.remind(style, now)
    } catch (error) {
      if (!(error instanceof NotAProjectError)) throw error
      this.print(startText)
    }
  }

  /** Shows what was done last, to somebody who comes back after more than a week. */
  private async remind(style: Style, now: number): Promise<void> {
    const [{ projectLog }, { logText }] = await Promise.all([
      import('../operations/origins/project-log.js'),
      import('../views/runs/log.js'),
    ])
    const entries = projectLog(await this.workspace(), 0).slice(-reminders)
    const last = entries.at(-1)!.at
    if (now - last > week)
      this.print(`\nDone last, ${age(now - last)} ago (qanat log shows all):\n${logText(style, entries)}`)
  }
}

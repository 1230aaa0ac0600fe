import { QanatCommand } from '../cli/base-command.js'
import { NotAProjectError } from '../errors.js'
import { overviewText, startText } from '../views/project.js'

/** `qanat` alone: where one is and what to type next, from what is stored. */
export default class Overview extends QanatCommand {
  static override summary = 'Show where you are and what to type next'

  async run(): Promise<void> {
    this.parsed = true
    try {
      const { root } = this.place()
      const { experiments, runs } = await this.store()
      const facts = { root, experiments: experiments.names(), live: runs.live(), last: runs.last(null) }
      this.print(overviewText(await this.style(), facts, Date.now()))
    } catch (error) {
      if (!(error instanceof NotAProjectError)) throw error
      this.print(startText)
    }
  }
}

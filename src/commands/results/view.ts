import * as Flags from '@oclif/core/flags'
import { QanatCommand } from '../../cli/base-command.js'
import { answerAside, showPages } from '../../cli/follow/show-pages.js'

export default class View extends QanatCommand {
  static override summary = 'Show the project in the browser: runs as they progress, their groups, outputs and metrics'
  static override description =
    'The pages can only be read, and only from this machine: with the address that is printed, until Ctrl-C. On a machine that you have reached by ssh, the command for a tunnel is printed, too.'
  static override examples = [
    '<%= config.bin %> view --open',
    {
      description: 'At a fixed port, for a tunnel that is open already',
      command: '<%= config.bin %> view --port 8080',
    },
  ]
  static override flags = {
    port: Flags.integer({
      min: 1,
      max: 65_535,
      description: 'the port (default: 7262, or a free one if that is in use)',
    }),
    open: Flags.boolean({ description: 'open the browser' }),
    answer: Flags.boolean({ hidden: true, description: 'compare and draw for the pages of another process' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(View)
    if (flags.answer) return answerAside(await this.workspace())
    await showPages(await this.workspace(), flags.port ?? null, flags.open, text => this.print(text))
  }
}

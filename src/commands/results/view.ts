import { Flags } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { answerAside, showPages } from '../../cli/follow/show-pages.js'

export default class View extends QanatCommand {
  static override summary = 'Show the project in the browser'
  static override description =
    'The pages are read-only. They answer on this machine only, at the printed address, until Ctrl-C. If you came by ssh, the command for a tunnel is printed, too.'
  static override topics = ['browse']
  static override examples = [
    'qanat view --open',
    { description: 'At a port of your choice, such as that of an open tunnel', command: 'qanat view --port 8080' },
  ]
  static override flags = {
    port: Flags.integer({
      min: 1,
      max: 65_535,
      helpValue: '<port>',
      description: 'the port (default: 7262, or a free one)',
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

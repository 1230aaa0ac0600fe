import { contextArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { certificateEnd, logIn } from '../../cli/contexts/connect.js'
import { contextNamed } from '../../operations/project/contexts.js'
import { moment } from '../../views/format/times.js'

export default class ContextLogin extends QanatCommand {
  static override summary = 'Log in to the machine of a context'
  static override description =
    'ssh asks for passwords and codes itself. Every later command uses this connection, and none opens one by itself.'
  static override topics = ['contexts']
  static override examples = ['qanat context login hpc']
  static override args = { name: contextArgument }

  async run(): Promise<void> {
    const { args } = await this.parse(ContextLogin)
    const context = contextNamed(await this.project(), args.name)
    const root = await logIn(context)
    const end = await certificateEnd(context)
    const until = end === null ? '' : ` The certificate is valid until ${moment(end)}.`
    this.say(`Connected to ${args.name}. Runs live there in ${root}.${until}`)
  }
}

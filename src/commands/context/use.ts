import { contextArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { showWarning } from '../../cli/explain.js'
import { useContext } from '../../operations/project/contexts.js'

export default class ContextUse extends QanatCommand {
  static override summary = 'Launch runs in a context if they name none'
  static override description =
    'It becomes the setting context of this project, in .qanat/config.yaml. The context here is this machine. --context and QANAT_CONTEXT come before the setting.'
  static override topics = ['contexts']
  static override examples = ['qanat context use hpc', 'qanat context use here']
  static override args = { name: contextArgument }

  async run(): Promise<void> {
    const { args } = await this.parse(ContextUse)
    await useContext(await this.project(), args.name)
    const variable = process.env.QANAT_CONTEXT
    if (variable && variable !== args.name) showWarning(`QANAT_CONTEXT=${variable} comes before the setting`)
    this.say(`Runs that name no context are launched in: ${args.name}`)
  }
}

import { contextArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { testContext } from '../../cli/contexts/connect.js'
import { contextNamed } from '../../operations/project/contexts.js'
import { findingLines } from '../../views/contexts.js'

export default class ContextTest extends QanatCommand {
  static override summary = 'Look at what runs need on another machine'
  static override topics = ['contexts']
  static override examples = ['qanat context test hpc']
  static override enableJsonFlag = true
  static override args = { name: contextArgument }

  async run(): Promise<unknown> {
    const { args } = await this.parse(ContextTest)
    const project = await this.project()
    const findings = await testContext(project, contextNamed(project, args.name))
    this.print(findingLines(findings))
    return { findings }
  }
}

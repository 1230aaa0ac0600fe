import { Flags } from '../cli/arguments.js'
import { QanatCommand } from '../cli/base-command.js'
import { UserError } from '../errors.js'
import { projectContents } from '../operations/project/project-contents.js'
import { isExperiment } from '../operations/registry/find-experiment.js'
import { projectStatus } from '../views/project.js'

export default class Status extends QanatCommand {
  static override summary = 'Count experiments, datasets, documents and runs'
  static override examples = ['qanat status', 'qanat status --sizes']
  static override enableJsonFlag = true
  static override flags = {
    sizes: Flags.boolean({ description: 'also measure results and cache; slow if they are large' }),
  }

  async run(): Promise<unknown> {
    const word = this.argv.find(each => !each.startsWith('-'))
    if (word !== undefined) throw await this.aboutOne(word)
    const { flags } = await this.parse(Status)
    const workspace = await this.workspace()
    const { root } = workspace.project
    const { counts, broken, sizes } = await projectContents(workspace, flags.sizes)
    this.print(projectStatus(this.screen, root, counts, sizes))
    for (const { message, hint } of broken) this.print([message, ...(hint?.split('\n') ?? [])].join('\n  '))
    const told = broken.map(({ kind, name, file, message, hint }) => ({ kind, name, file, message, hint }))
    return { project: root, ...counts, broken: told, ...(sizes && { sizes_bytes: sizes }) }
  }

  /** What shows the thing that a word names. */
  private async aboutOne(word: string): Promise<UserError> {
    const instead = isExperiment(await this.workspace(), word)
      ? `qanat experiment status ${word}        shows its runs`
      : /^\d+$/.test(word)
        ? `qanat run_show ${word}        shows the run`
        : 'qanat status'
    return new UserError(`unexpected argument: ${word}; status is about the whole project`, instead)
  }
}

import { datasetArgument, Flags, option } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { pushDataset, removePushed } from '../../operations/data/push-dataset.js'
import { pushedJson, pushedText, removedText } from '../../views/registry/pushed.js'

export default class DatasetPush extends QanatCommand {
  static override summary = 'Copy a dataset to a context'
  static override description =
    'Runs in the context read the copy from then on. Called again, it sends what has changed, and removes from the copy what is gone here. If it is cut, the next call goes on where it stopped.'
  static override topics = ['contexts', 'data']
  static override examples = ['qanat dataset push iris --context hpc']
  static override enableJsonFlag = true
  static override args = { name: datasetArgument }
  static override flags = {
    context: { ...option('where to', 'contexts'), helpValue: '<context>' },
    remove: Flags.boolean({ description: 'remove the copy there instead' }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(DatasetPush)
    const workspace = await this.workspace(flags.context)
    if (flags.remove) {
      const path = await removePushed(workspace, args.name)
      this.say(removedText(args.name, workspace.site.name, path))
      return { dataset: args.name, context: workspace.site.name, removed: path }
    }
    const pushed = await pushDataset(workspace, args.name)
    this.say(pushedText(pushed))
    return pushedJson(pushed)
  }
}

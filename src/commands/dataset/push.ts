import { datasetArgument, option } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { pushDataset } from '../../operations/data/push-dataset.js'
import { pushedJson, pushedText } from '../../views/registry/pushed.js'

export default class DatasetPush extends QanatCommand {
  static override summary = 'Copy a dataset to a context'
  static override description =
    'Runs in the context read the copy from then on. Called again, it sends what has changed, and removes from the copy what is gone here. If it is cut, the next call goes on where it stopped.'
  static override topics = ['contexts', 'data']
  static override examples = ['qanat dataset push iris --context hpc']
  static override enableJsonFlag = true
  static override args = { name: datasetArgument }
  static override flags = { context: { ...option('where to', 'contexts'), helpValue: '<context>' } }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(DatasetPush)
    const pushed = await pushDataset(await this.workspace(flags.context), args.name)
    this.say(pushedText(pushed))
    return pushedJson(pushed)
  }
}

import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { QanatCommand } from '../../cli/base-command.js'
import { sides, syncWithFiles } from '../../cli/questions/sync.js'

export default class DatasetSync extends QanatCommand {
  static override summary = 'Make a dataset and its YAML file agree'
  static override description =
    'The file is the one from which the dataset was registered, else the one that qanat export wrote. Comments in it stay.'
  static override topics = ['share']
  static override examples = ['qanat dataset sync iris', 'qanat dataset sync iris --take file']
  static override enableJsonFlag = true
  static override args = {
    name: Args.string({ description: 'the dataset; without it, all that differ', completes: 'datasets' }),
  }
  static override flags = {
    take: Flags.option({ options: sides, description: 'which side to keep (without it, you are asked)' })(),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(DatasetSync)
    const say = (text: string) => this.say(text)
    return { datasets: await syncWithFiles(await this.workspace(), 'dataset', args.name, flags.take, say) }
  }
}

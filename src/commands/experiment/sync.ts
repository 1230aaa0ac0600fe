import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { QanatCommand } from '../../cli/base-command.js'
import { sides, syncWithFiles } from '../../cli/questions/sync.js'

export default class ExperimentSync extends QanatCommand {
  static override summary = 'Make an experiment and its YAML file agree'
  static override description =
    'The file is the one from which the experiment was registered, else the one that qanat export wrote. Comments in it stay.'
  static override topics = ['share']
  static override examples = ['qanat experiment sync summary_iris', 'qanat experiment sync summary_iris --take file']
  static override enableJsonFlag = true
  static override args = {
    name: Args.string({ description: 'the experiment; without it, all that differ', completes: 'experiments' }),
  }
  static override flags = {
    take: Flags.option({ options: sides, description: 'which side to keep (without it, you are asked)' })(),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentSync)
    const say = (text: string) => this.say(text)
    return { experiments: await syncWithFiles(await this.workspace(), 'experiment', args.name, flags.take, say) }
  }
}

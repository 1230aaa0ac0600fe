import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { QanatCommand } from '../../cli/base-command.js'
import { sides, syncWithFiles } from '../../cli/questions/sync.js'

export default class DocumentSync extends QanatCommand {
  static override summary = 'Make a document and its YAML file agree'
  static override description =
    'The file is the one from which the document was registered, else the one that qanat export wrote. Comments in it stay.'
  static override topics = ['share']
  static override examples = ['qanat document sync report', 'qanat document sync report --take file']
  static override enableJsonFlag = true
  static override args = {
    name: Args.string({ description: 'the document; without it, all that differ', completes: 'documents' }),
  }
  static override flags = {
    take: Flags.option({ options: sides, description: 'which side to keep (without it, you are asked)' })(),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(DocumentSync)
    const say = (text: string) => this.say(text)
    return { documents: await syncWithFiles(await this.workspace(), 'document', args.name, flags.take, say) }
  }
}

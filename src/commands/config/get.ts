import { settingArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { getSetting } from '../../operations/project/config.js'

export default class ConfigGet extends QanatCommand {
  static override summary = 'Print one setting'
  static override topics = ['settings']
  static override examples = ['qanat config get result_dir', 'qanat config get slurm.default']
  static override enableJsonFlag = true
  static override args = { key: settingArgument }

  async run(): Promise<unknown> {
    const { args } = await this.parse(ConfigGet)
    const { value, text } = getSetting(await this.project(), args.key)
    this.print(text)
    return { key: args.key, value }
  }
}

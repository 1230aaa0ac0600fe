import { settingArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { unsetSetting } from '../../operations/project/config.js'

export default class ConfigUnset extends QanatCommand {
  static override summary = 'Return one setting to its default'
  static override topics = ['settings']
  static override examples = ['qanat config unset poll_interval']
  static override args = { key: settingArgument }

  async run(): Promise<void> {
    const { args } = await this.parse(ConfigUnset)
    await unsetSetting(await this.project(), args.key)
    this.say(`${args.key} is no longer set.`)
  }
}

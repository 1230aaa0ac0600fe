import { QanatCommand } from '../../cli/base-command.js'
import { showWarning } from '../../cli/explain.js'
import { readSettings } from '../../operations/project/config.js'

export default class ConfigShow extends QanatCommand {
  static override summary = 'Print the settings'
  static override topics = ['settings']
  static override examples = ['qanat config show', 'qanat config show --json']
  static override enableJsonFlag = true

  async run(): Promise<unknown> {
    await this.parse(ConfigShow)
    const { text, settings, warnings } = readSettings(await this.project())
    for (const warning of warnings) showWarning(warning)
    this.print(text)
    return settings
  }
}

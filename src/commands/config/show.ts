import { QanatCommand } from '../../cli/base-command.js'
import { CONFIG_FILE, checkConfigText, readConfigText, settingsOf } from '../../project/config.js'
import { findProject } from '../../project/find-project.js'
import { warningText } from '../../views/error.js'

export default class ConfigShow extends QanatCommand {
  static override summary = 'Print the settings of the project'
  static override examples = ['<%= config.bin %> config show', '<%= config.bin %> config show --json']
  static override enableJsonFlag = true

  async run(): Promise<unknown> {
    await this.parse(ConfigShow)
    const text = readConfigText(findProject(process.cwd()).root)
    const settings = settingsOf(text)
    for (const warning of checkConfigText(text, CONFIG_FILE).warnings) process.stderr.write(warningText(warning))
    this.print(text)
    return settings
  }
}

import { Args } from '@oclif/core'
import { QanatCommand } from '../../cli/base-command.js'
import { showWarning } from '../../cli/explain.js'
import { editSettings } from '../../operations/project/config.js'

export default class ConfigEdit extends QanatCommand {
  static override summary = 'Edit the settings; settings that are not valid are refused'
  static override description = 'With FILE, no editor is opened: the settings are replaced by those of that file.'
  static override examples = ['<%= config.bin %> config edit', '<%= config.bin %> config edit shared-config.yaml']
  static override args = {
    file: Args.string({ description: 'a YAML file to take the settings from', completes: 'files' }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(ConfigEdit)
    const warnings = await editSettings(await this.project(), args.file ?? null)
    if (warnings === null) return this.print('Nothing was changed.')
    for (const warning of warnings) showWarning(warning)
    this.print('Settings changed. The file is tracked: commit .qanat/config.yaml to keep them.')
  }
}

import { Args } from '@oclif/core'
import { QanatCommand } from '../../cli/base-command.js'
import { showWarning } from '../../cli/explain.js'
import { editSettings } from '../../operations/project/config.js'

export default class ConfigEdit extends QanatCommand {
  static override summary = 'Edit the settings; what is wrong is not taken over'
  static override description = 'With FILE, that file takes the place of the settings, without an editor.'
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

import { argument, yesFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { showWarning } from '../../cli/explain.js'
import { canAsk, confirm } from '../../cli/prompts.js'
import { UserError } from '../../errors.js'
import { editSettings } from '../../operations/project/config.js'
import { differenceText } from '../../views/config.js'
import { styleOf } from '../../views/format/style.js'

export default class ConfigEdit extends QanatCommand {
  static override summary = 'Edit the settings, checked before they are saved'
  static override description =
    'With FILE, no editor opens: the settings of that file replace those of the project. The difference is shown first.'
  static override topics = ['settings']
  static override examples = ['qanat config edit', 'qanat config edit shared-config.yaml --yes']
  static override args = { file: argument('a YAML file with the new settings', 'files') }
  static override flags = { yes: yesFlag }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigEdit)
    const project = await this.project()
    if (args.file === undefined && !canAsk()) {
      throw new UserError(
        'there is no terminal for an editor',
        'qanat config set KEY VALUE, or: qanat config edit FILE',
      )
    }
    const agree = (before: string, after: string) =>
      confirm('Replace the settings?', flags.yes, differenceText(styleOf(process.stderr), before, after))
    const warnings = await editSettings(project, args.file ?? null, agree)
    if (warnings === null) return this.say('Nothing was changed.')
    for (const warning of warnings) showWarning(warning)
    this.say('Settings changed. The file is tracked: commit .qanat/config.yaml to keep them.')
  }
}

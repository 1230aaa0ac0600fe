import { Args, settingArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { setSetting } from '../../operations/project/config.js'

export default class ConfigSet extends QanatCommand {
  static override summary = 'Change one setting'
  static override description = 'Comments in the file are kept.'
  static override topics = ['settings']
  static override examples = [
    'qanat config set poll_interval 60',
    'qanat config set slurm.two_cpus.--cpus-per-task 2',
    { description: 'A value that begins with a dash', command: 'qanat config set default_editor -- "-x"' },
  ]
  static override args = {
    key: settingArgument,
    value: Args.string({ required: true, description: 'the value, as YAML: 60, vim, [a, b], {cpus: 2}' }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(ConfigSet)
    await setSetting(await this.project(), args.key, args.value)
    this.say(`${args.key} is now ${args.value}. The file is tracked: commit .qanat/config.yaml to keep it.`)
  }
}

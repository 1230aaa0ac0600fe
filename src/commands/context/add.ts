import { Args, Flags } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { addContext } from '../../operations/project/contexts.js'

export default class ContextAdd extends QanatCommand {
  static override summary = 'Add a context: another machine where runs live'
  static override description = 'It is written to ~/.config/qanat/contexts.yaml, for all your projects.'
  static override topics = ['contexts']
  static override examples = ["qanat context add hpc --host hpc --root '$SCRATCH/qanat' --runner slurm"]
  static override args = { name: Args.string({ required: true, description: 'the name of the new context' }) }
  static override flags = {
    host: Flags.string({
      required: true,
      helpValue: '<host>',
      description: 'what ssh takes: an alias of ~/.ssh/config, or user@host',
    }),
    root: Flags.string({
      required: true,
      helpValue: '<folder>',
      description: 'a folder there; $NAME and ~ are expanded there',
    }),
    runner: Flags.string({
      char: 'r',
      description: 'the runner of runs that name none',
      default: 'local',
      completes: 'runners',
    }),
    shell: Flags.string({
      helpValue: '<words>',
      description: 'the shell that knows where programs are, as in "bash -l"',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContextAdd)
    const { host, root, runner, shell } = flags
    await addContext(await this.project(), args.name, { host, root, runner, ...(shell && { shell }) })
    this.say(`Added the context ${args.name}. Log in: qanat context login ${args.name}`)
  }
}

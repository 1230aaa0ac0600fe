import { Flags, groupArguments, templateFlag } from '../cli/arguments.js'
import { QanatCommand } from '../cli/base-command.js'
import { Interruption } from '../cli/follow/interruption.js'
import { insistOnTerminal } from '../cli/prompts.js'
import { InterruptedError } from '../errors.js'
import { jobToJoin } from '../operations/launch/shell/inside.js'
import { openShell } from '../operations/launch/shell/open-shell.js'
import { findRunOrGroup, readGroup } from '../operations/runs/find-run.js'

export default class Shell extends QanatCommand {
  static override summary = 'Open a shell in the environment of a group'
  static override description =
    'The shell has the frozen code, the modules, the environment and the container of the group, on a node if its runner has a scheduler, in its context. $QANAT_COMMAND is what the group would run; $QANAT_STORAGE_PATH is a folder of the shell, which is removed if it is empty at the end. Without a group, the first one is meant.'
  static override topics = ['contexts', 'failed-runs']
  static override examples = [
    'qanat shell 3.1',
    { description: 'With other resources', command: 'qanat shell 3.1 --submit_template default' },
  ]
  static override args = groupArguments
  static override flags = {
    inside: Flags.boolean({ description: 'beside a group that runs, on its node', exclusive: ['submit_template'] }),
    submit_template: templateFlag,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Shell)
    insistOnTerminal('qanat run_show RUN --json        has the command and the environment of each group')
    const workspace = await this.workspace()
    const { run, group } = findRunOrGroup(workspace, args.name, args.run)
    const index = group === null ? 0 : readGroup(run, group)
    const interruption = new Interruption(new InterruptedError())
    try {
      const inside = flags.inside ? await jobToJoin(workspace, run, index) : null
      const wanted = { submit_template: flags.submit_template, inside }
      const { code, left } = await openShell(workspace, run, index, wanted, interruption.signal)
      if (left !== null) this.say(`The files of the shell are in ${left}.`)
      process.exitCode = code
    } finally {
      interruption.close()
    }
  }
}

import { Flags, groupArguments, templateFlag } from '../cli/arguments.js'
import { QanatCommand } from '../cli/base-command.js'
import { Interruption } from '../cli/follow/interruption.js'
import { insistOnTerminal } from '../cli/prompts.js'
import { InterruptedError, UserError } from '../errors.js'
import { jobToJoin } from '../operations/launch/shell/inside.js'
import { openShell, openTemplate } from '../operations/launch/shell/open-shell.js'
import { findRunOrGroup, readGroup } from '../operations/runs/find-run.js'
import type { Workspace } from '../operations/workspace.js'

export default class Shell extends QanatCommand {
  static override summary = 'Open a shell in the environment of a group'
  static override description =
    'The shell has the frozen code, the modules, the environment and the container of the group, on a node if its runner is Slurm, in a pod if it is Kubernetes, in its context. $QANAT_COMMAND is what the group would run; $QANAT_STORAGE_PATH is a folder of the shell, which is removed if it is empty at the end. Without a group, the first one is meant. Without a run, the shell has the environment of a template, and the folder of the project.'
  static override usage = ['RUN[.GROUP] [OPTIONS]', '--submit_template <template> [OPTIONS]']
  static override topics = ['shells', 'failed-runs']
  static override examples = [
    'qanat shell 3.1',
    { description: 'With other resources', command: 'qanat shell 3.1 --submit_template default' },
    { description: 'Without a run', command: 'qanat shell --submit_template default' },
  ]
  static override args = { ...groupArguments, name: { ...groupArguments.name, required: false } }
  static override flags = {
    inside: Flags.boolean({ description: 'beside a group that runs, on its node', exclusive: ['submit_template'] }),
    submit_template: templateFlag,
    runner: Flags.string({ char: 'r', description: 'without a run: where the shell runs', completes: 'runners' }),
    context: Flags.string({
      description: 'without a run: the context in which it runs, or here',
      completes: 'contexts',
      helpValue: '<context>',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Shell)
    const { name, run: second } = args
    if (name === undefined && flags.submit_template === undefined)
      throw new UserError('which group?', 'qanat shell RUN.GROUP, or: qanat shell --submit_template TEMPLATE')
    const own =
      name === undefined ? undefined : (['runner', 'context'] as const).find(each => flags[each] !== undefined)
    if (own !== undefined)
      throw new UserError(
        `--${own} is for a shell without a run: that of a run is where the run lives`,
        `leave --${own} out`,
      )
    insistOnTerminal('qanat run_show RUN --json        has the command and the environment of each group')
    const workspace = await this.workspace(flags.context)
    const interruption = new Interruption(new InterruptedError())
    try {
      const { code, left } =
        name === undefined
          ? await openTemplate(workspace, flags, interruption.signal)
          : await this.ofGroup(workspace, name, second, flags, interruption.signal)
      if (left !== null) this.say(`The files of the shell are in ${left}.`)
      process.exitCode = code
    } finally {
      interruption.close()
    }
  }

  private async ofGroup(
    workspace: Workspace,
    name: string,
    second: string | undefined,
    flags: { readonly inside: boolean; readonly submit_template?: string | undefined },
    interruption: AbortSignal,
  ) {
    const { run, group } = findRunOrGroup(workspace, name, second)
    const index = group === null ? 0 : readGroup(run, group)
    const inside = flags.inside ? await jobToJoin(workspace, run, index) : null
    return openShell(workspace, run, index, { submit_template: flags.submit_template, inside }, interruption)
  }
}

import { Flags, groupArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { UserError } from '../../errors.js'
import { findRunOrGroup } from '../../operations/runs/find-run.js'
import { currentRun } from '../../operations/runs/run-details.js'
import { runEfficiency, whyWithOutput } from '../../operations/runs/why-run.js'
import { efficiencyJson, efficiencyText } from '../../views/efficiency.js'
import { usageJson } from '../../views/json.js'
import { whyText } from '../../views/why.js'

export default class Why extends QanatCommand {
  static override summary = 'Explain why a run failed or waits, and what to do'
  static override description = 'Without a group, the first one with a problem is explained.'
  static override topics = ['failed-runs', 'resources', 'statuses']
  static override examples = [
    'qanat why 3',
    'qanat why 2.3',
    'qanat why summary_iris',
    { description: 'Whether the groups asked for more than they used', command: 'qanat why --efficiency 2' },
  ]
  static override enableJsonFlag = true
  static override args = groupArguments
  static override flags = {
    efficiency: Flags.boolean({
      description: 'compare the memory, time and processors that finished groups used with what they asked for',
    }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Why)
    const workspace = await this.workspace()
    const found = findRunOrGroup(workspace, args.name, args.run)
    const run = await currentRun(workspace, found.run)
    if (flags.efficiency) {
      if (found.group !== null) {
        throw new UserError('--efficiency is about all groups of a run', `qanat why --efficiency ${run.id}`)
      }
      const uses = runEfficiency(workspace, run)
      this.print(efficiencyText(this.screen, run, uses))
      return efficiencyJson(run, uses)
    }
    const why = await whyWithOutput(workspace, run, found.group)
    this.print(whyText(this.screen, why))
    const { index, status, asked, witnesses, lastWords, next } = why
    const cause = 'cause' in status ? status.cause : null
    const used = usageJson(status, asked)
    return { run: run.id, group: index, status: status.state, cause, ...used, witnesses, last_words: lastWords, next }
  }
}

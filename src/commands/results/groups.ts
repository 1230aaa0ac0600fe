import * as Flags from '@oclif/core/flags'
import { runsArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { redraw } from '../../cli/follow/redraw.js'
import { groupChoice, groupListFlags } from '../../cli/group-list.js'
import { runsOfOneExperiment } from '../../operations/runs/find-run.js'
import { listGroups } from '../../operations/runs/list-groups.js'
import { styleOf } from '../../views/format/style.js'
import { groupsCsv, groupsJson, groupsText } from '../../views/runs/listed-groups.js'

export default class Groups extends QanatCommand {
  static override summary = 'List groups of runs: status, cause, the parameters that vary, metrics, duration, host'
  static override description =
    'Groups have to meet all filters; a --param has to be a parameter of the group itself, and numbers are compared by their value. Without runs, all runs of the experiment count, the newest first.'
  static override examples = [
    '<%= config.bin %> groups 4 --status failed',
    '<%= config.bin %> groups digits --param --lr:0.01 --param --model:svm',
    "<%= config.bin %> groups digits 4-6 --where 'acc > 0.9' --sort -acc --limit 10",
    { description: 'Redraw until Ctrl-C', command: '<%= config.bin %> groups latest --status running --live' },
  ]
  static override enableJsonFlag = true
  static override strict = false
  static override args = runsArguments
  static override flags = {
    live: Flags.boolean({ description: 'redraw every second until Ctrl-C', exclusive: ['csv', 'json'] }),
    ...groupListFlags,
  }

  async run(): Promise<unknown> {
    const { argv, flags } = await this.parse(Groups)
    const choice = groupChoice(flags)
    const workspace = await this.workspace()
    const { name: experiment, runs } = runsOfOneExperiment(workspace, argv as string[])
    // A program that reads the list cannot tell metrics that were not read from none.
    const request = { experiment, runs, ...choice, isComplete: flags.csv || this.jsonEnabled() }
    const style = styleOf(process.stdout)
    if (flags.live) {
      await redraw(async () => groupsText(style, await listGroups(workspace, request), Date.now()))
      return undefined
    }
    const listing = await listGroups(workspace, request)
    if (this.jsonEnabled()) return groupsJson(listing)
    this.print(flags.csv ? groupsCsv(listing) : groupsText(style, listing, Date.now()))
    return undefined
  }
}

import { Flags, runsArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { redraw } from '../../cli/follow/redraw.js'
import { groupChoice, groupListFlags } from '../../cli/group-list.js'
import { listGroups } from '../../operations/results/list-groups.js'
import { runsOfOneExperiment } from '../../operations/runs/find-run.js'
import { groupsCsv, groupsJson, groupsText } from '../../views/runs/listed-groups.js'

export default class Groups extends QanatCommand {
  static override summary = 'List and filter groups'
  static override description =
    'A group is listed if it meets all filters. --param looks at the parameters of the group itself, and compares numbers by their value.'
  static override topics = ['find-runs', 'statuses']
  static override examples = [
    'qanat groups 1 --status failed',
    'qanat groups classify_iris --param --rate:0.1 --param --seed:0',
    "qanat groups classify_iris --where 'accuracy > 0.9' --sort -accuracy --limit 10",
    { description: 'Keep watching, until Ctrl-C', command: 'qanat groups latest --status running --live' },
  ]
  static override enableJsonFlag = true
  static override strict = false
  static override args = runsArguments
  static override flags = {
    live: Flags.boolean({ description: 'redraw every second, until Ctrl-C', exclusive: ['csv', 'json'] }),
    ...groupListFlags,
  }

  async run(): Promise<unknown> {
    const { argv, flags } = await this.parse(Groups)
    const choice = groupChoice(flags)
    const workspace = await this.workspace()
    const { name: experiment, runs } = runsOfOneExperiment(workspace, argv as string[])
    // A program that reads the list cannot tell metrics that were not read from none.
    const request = { experiment, runs, ...choice, isComplete: flags.csv || this.jsonEnabled() }
    const style = this.screen
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

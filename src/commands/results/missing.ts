import { csvFlag, experimentArgument, Flags, fillLine, gridFlags } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { missingCells } from '../../operations/launch/fill/missing.js'
import { missingCsv, missingJson, missingText } from '../../views/results/standing.js'

export default class Missing extends QanatCommand {
  static override summary = 'List the cells of a grid without a result'
  static override description =
    'A cell is a combination of parameters. It is missing if no group with the code of now has finished it, and none waits or runs. qanat run --fill launches just these.'
  static override topics = ['grow-a-study', 'what-counts-in-a-mean']
  static override examples = [
    'qanat missing classify_iris -f grid.yaml',
    'qanat missing classify_iris -V "--rate 0.1 1" -R "--seed 0 10 1"',
    { description: 'Whatever their code was', command: 'qanat missing classify_iris -f grid.yaml --same any' },
  ]
  static override enableJsonFlag = true
  static override args = { name: experimentArgument }
  static override flags = {
    ...gridFlags,
    all: Flags.boolean({ description: 'show every cell' }),
    csv: csvFlag,
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Missing)
    const workspace = await this.workspace()
    const request = { experiment: args.name, experimentArguments: [], options: flags }
    const missing = await missingCells(workspace, request)
    for (const note of await missing.standing.notes()) workspace.warn(note)
    if (this.jsonEnabled()) return missingJson(missing)
    const next = fillLine(args.name, flags)
    this.print(flags.csv ? missingCsv(missing) : missingText(this.screen, missing, flags.all, next))
    return undefined
  }
}

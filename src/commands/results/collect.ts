import { Flags } from '@oclif/core'
import { runsArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { collect, saveTable } from '../../operations/results/collect.js'
import { runsOfOneExperiment } from '../../operations/runs/find-run.js'
import { tableFormat } from '../../views/results/collected.js'

export default class Collect extends QanatCommand {
  static override summary =
    'Write a table of groups to a file: a row a group, with its parameters, metrics, status and times'
  static override examples = [
    '<%= config.bin %> collect digits -o digits.csv',
    '<%= config.bin %> collect 4-7 -o digits.jsonl',
  ]
  static override strict = false
  static override args = runsArguments
  static override flags = {
    output: Flags.string({
      char: 'o',
      required: true,
      description: 'the file; the end of its name says the format: .csv or .jsonl',
      completes: 'files',
    }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Collect)
    const write = tableFormat(flags.output)
    const workspace = await this.workspace()
    const { name, runs } = runsOfOneExperiment(workspace, argv as string[])
    const collected = await collect(workspace, name, runs)
    saveTable(workspace, flags.output, write(collected))
    const { count, columns } = collected
    this.print(`${flags.output}: ${count} group${count === 1 ? '' : 's'}, ${columns.length} columns`)
  }
}

import * as Flags from '@oclif/core/flags'
import { runsArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { Interruption } from '../../cli/follow/interruption.js'
import { InterruptedError } from '../../errors.js'
import type { CountedRuns } from '../../operations/results/chosen-runs.js'
import { collect, type Rendered, saveTable, type Table } from '../../operations/results/collect/collect.js'
import { collectFiles } from '../../operations/results/collect/collect-files.js'
import { collectSeries } from '../../operations/results/collect/collect-series.js'
import { runsOfOneExperiment } from '../../operations/runs/find-run.js'
import {
  type Count,
  collectedJson,
  collectedText,
  consistsOfTexts,
  shortenedText,
  tableFormat,
} from '../../views/results/collected.js'

export default class Collect extends QanatCommand {
  static override summary =
    'Write a table of groups to a file: a row a group, with its parameters, metrics, status and times'
  static override examples = [
    '<%= config.bin %> collect digits -o digits.csv',
    '<%= config.bin %> collect 4-7 -o digits.parquet',
    {
      description: 'A row for each step of what the groups have measured',
      command: '<%= config.bin %> collect digits --series -o digits.parquet',
    },
    {
      description: 'A row for each row of the tables that the groups have left, with their parameters',
      command: '<%= config.bin %> collect digits --files history.csv -o histories.csv',
    },
  ]
  static override strict = false
  static override enableJsonFlag = true
  static override args = runsArguments
  static override flags = {
    output: Flags.string({
      char: 'o',
      required: true,
      description: 'the file; the end of its name says the format: .csv, .jsonl, .parquet or .sqlite',
      completes: 'files',
    }),
    series: Flags.boolean({
      description: 'a row for each step of the metrics that are series instead, from the files of the groups',
      exclusive: ['files'],
    }),
    files: Flags.string({
      description:
        "the tables in the folders of groups instead, under each other; a path such as 'history.csv', 'logs/*.jsonl' or '**/history.csv'",
    }),
  }

  async run(): Promise<unknown> {
    const { argv, flags } = await this.parse(Collect)
    const render = await tableFormat(flags.output)
    const workspace = await this.workspace()
    const { name, runs } = runsOfOneExperiment(workspace, argv as string[])
    if (flags.series) {
      const table = await collectSeries(workspace, name, runs)
      const saved = await this.save(table, render, flags.output, [table.groups, 'group'], [table.count, 'row'])
      if (table.others > 0) {
        this.say(`  ${table.others} group${table.others === 1 ? '' : 's'} left out: no series, or not ended yet`)
      }
      return saved
    }
    if (flags.files === undefined) {
      const table = await collect(workspace, name, runs, consistsOfTexts(flags.output))
      return this.save(table, render, flags.output, [table.count, 'group'])
    }
    const table = await collectFiles(workspace, name, runs, flags.files)
    return this.save(table, render, flags.output, [table.files, 'file'], [table.count, 'row'])
  }

  private async save<Row>(
    table: Table<Row> & Pick<CountedRuns, 'notes'>,
    render: Rendered | null,
    path: string,
    ...counts: readonly Count[]
  ): Promise<unknown> {
    const workspace = await this.workspace()
    const interruption = new Interruption(new InterruptedError(`interrupted; ${path} was not changed`))
    try {
      await saveTable(workspace, path, table, render, interruption.signal)
    } finally {
      interruption.close()
    }
    const lost = shortenedText(path, table)
    if (lost !== null) workspace.warn(lost)
    this.say([collectedText(path, table, counts), ...table.notes.map(text => `  ${text}`)].join('\n'))
    return collectedJson(path, table, counts)
  }
}

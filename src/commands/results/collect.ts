import { Flags, runsArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { Interruption } from '../../cli/follow/interruption.js'
import { filterFlags, lookedAt } from '../../cli/results/filters.js'
import { InterruptedError } from '../../errors.js'
import { collect, type Rendered, saveTable, type Table } from '../../operations/results/collect/collect.js'
import { collectFiles } from '../../operations/results/collect/collect-files.js'
import { collectSeries } from '../../operations/results/collect/collect-series.js'
import type { CountedRuns } from '../../operations/results/counted-runs.js'
import { runsOfOneExperiment } from '../../operations/runs/find-run.js'
import { counted } from '../../views/format/counted.js'
import {
  type Count,
  collectedJson,
  collectedText,
  consistsOfTexts,
  lostTexts,
  tableFormat,
} from '../../views/results/collected.js'

export default class Collect extends QanatCommand {
  static override summary = 'Save a table with a row for each group'
  static override description =
    'A row has the parameters, the metrics, the status and the times of a group. Of several groups with the same parameters, the newest finished one has a row.'
  static override topics = ['tables']
  static override examples = [
    'qanat collect classify_iris -o classify.csv',
    'qanat collect 2 -o runs.parquet',
    { description: 'A row for each step of a group', command: 'qanat collect classify_iris --series -o steps.parquet' },
    {
      description: 'The rows of all tables that the groups wrote, with their parameters',
      command: 'qanat collect classify_iris --files history.csv -o histories.csv',
    },
  ]
  static override strict = false
  static override enableJsonFlag = true
  static override args = runsArguments
  static override flags = {
    ...filterFlags,
    output: Flags.string({
      char: 'o',
      required: true,
      description: 'the file: .csv, .jsonl, .parquet or .sqlite',
      completes: 'files',
    }),
    repeats: Flags.boolean({ description: 'all groups with equal parameters (otherwise one of them has a row)' }),
    series: Flags.boolean({
      description: 'instead, a row for each step of metrics that have steps',
      exclusive: ['files'],
    }),
    files: Flags.string({
      helpValue: '<pattern>',
      description: "instead, the rows of these tables of the groups: 'history.csv', 'logs/*.jsonl', '**/history.csv'",
    }),
  }

  async run(): Promise<unknown> {
    const { argv, flags } = await this.parse(Collect)
    const render = await tableFormat(flags.output)
    const workspace = await this.workspace()
    const { name, runs } = runsOfOneExperiment(workspace, argv as string[])
    const looked = lookedAt(runs, flags)
    if (flags.series) {
      const table = await collectSeries(workspace, name, looked, flags.repeats)
      const saved = await this.save(table, render, flags.output, [table.groups, 'group'], [table.count, 'row'])
      if (table.others > 0) {
        this.say(`  ${counted(table.others, 'group')} left out: no series, or not ended yet`)
      }
      return saved
    }
    if (flags.files === undefined) {
      const table = await collect(workspace, name, looked, flags.repeats, consistsOfTexts(flags.output))
      return this.save(table, render, flags.output, [table.count, 'group'])
    }
    const table = await collectFiles(workspace, name, looked, flags.repeats, flags.files)
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
    for (const lost of lostTexts(path, table)) workspace.warn(lost)
    this.say([collectedText(path, table, counts), ...table.notes.map(text => `  ${text}`)].join('\n'))
    return collectedJson(path, table, counts)
  }
}

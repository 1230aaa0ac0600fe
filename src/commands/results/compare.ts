import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { runsArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { intervalMethod, mayBeInterval } from '../../cli/parse/interval-method.js'
import { withOptionalValue } from '../../cli/parse/optional-value.js'
import { comparisonOf, tableIn } from '../../cli/results/comparison.js'
import { UserError } from '../../errors.js'
import { areGroups, comparePair } from '../../operations/results/compare-pair.js'
import { runsOfOneExperiment } from '../../operations/runs/find-run.js'
import { styleOf } from '../../views/format/style.js'
import { comparisonJson, comparisonText } from '../../views/results/comparison.js'
import { pairJson, pairText } from '../../views/results/pair.js'

const formats = ['csv', 'md', 'latex'] as const
const format = (description: string, own: string) =>
  Flags.boolean({ description, exclusive: [...formats, 'json'].filter(name => name !== own) })

export default class Compare extends QanatCommand {
  static override summary = 'Compare the groups of an experiment: a row for each combination of parameters'
  static override description =
    'A value is the mean over the groups of a row, ± the sample standard deviation, and in brackets how many they are. Without runs, all runs are compared. Of groups with the same parameters, the newest one that has finished counts. Two groups, as in 4.1 4.7, are shown side by side, with the diff of their code.'
  static override examples = [
    '<%= config.bin %> compare digits',
    { description: 'Average over the seeds', command: '<%= config.bin %> compare digits --over seed' },
    {
      description: 'Show which groups of a grid were run, and which are missing',
      command: '<%= config.bin %> compare digits -f grid.yaml --over seed',
    },
    {
      description: 'A table for a paper',
      command: '<%= config.bin %> compare digits 4 7 --over seed --metrics acc:max --latex',
    },
  ]
  static override enableJsonFlag = true
  static override strict = false
  static override args = {
    name: runsArguments.name,
    runs: Args.string({
      description: 'ids of runs, and ranges such as 5-9; or two groups: 4.1 4.7',
      completes: 'runs_or_groups',
    }),
  }
  static override flags = {
    by: Flags.string({
      description: 'the parameters that make a row, separated by commas (default: all that vary)',
      completes: 'parameters',
    }),
    over: Flags.string({
      description:
        'average over these parameters, separated by commas; without a value over those that look like a seed',
      completes: 'parameters',
    }),
    metrics: Flags.string({
      description:
        'the metrics to show, separated by commas; acc:max and acc:min are the largest and the smallest of a series',
      completes: 'metrics',
    }),
    sort: Flags.string({
      description: 'sort by a metric, a parameter or the time; a - before it reverses the order',
      completes: 'comparison_sortings',
    }),
    top: Flags.integer({ min: 1, description: 'at most N rows' }),
    all: Flags.boolean({ description: 'show all rows, even if they are many' }),
    repeats: Flags.boolean({ description: 'average groups with the same parameters; otherwise the newest counts' }),
    param_file: Flags.string({
      char: 'f',
      description: 'show a row for each combination in this parameter file, even if it was not run',
      completes: 'files',
    }),
    ci: Flags.string({
      description:
        'show the 95 % confidence interval of the mean: t (t distribution; also without a value), bootstrap, or with a seed other than 0 bootstrap:SEED',
    }),
    csv: format('print CSV', 'csv'),
    md: format('print a table in Markdown', 'md'),
    latex: format('print a table in LaTeX (booktabs)', 'latex'),
  }

  async run(): Promise<unknown> {
    const words = withOptionalValue(this.argv, '--ci', Compare.flags, mayBeInterval)
    const { argv, flags } = await this.parse(Compare, withOptionalValue(words, '--over', Compare.flags))
    const ci = intervalMethod(flags.ci)
    const workspace = await this.workspace()
    const { name, runs } = runsOfOneExperiment(workspace, argv as string[])
    if (areGroups(runs)) {
      const option = Object.keys(Compare.flags).find(each => each in flags)
      if (option !== undefined) {
        throw new UserError(
          `--${option} is for tables: two groups are shown side by side, as a text or with --json`,
          `qanat compare ${name} ${runs.join(' ')}\nqanat compare ${name} --${option} …        makes a table of runs`,
        )
      }
      const pair = await comparePair(workspace, name, runs)
      this.print(pairText(pair))
      return pairJson(pair)
    }
    const comparison = await comparisonOf(workspace, name, runs, flags)
    if (this.jsonEnabled()) return comparisonJson(comparison, ci)
    const format = formats.find(each => flags[each])
    if (format === undefined) this.print(comparisonText(styleOf(process.stdout), comparison, flags.all, ci))
    else {
      const { text, remarks } = tableIn(format, comparison, ci)
      this.print(text)
      for (const remark of remarks) workspace.warn(remark)
    }
    return undefined
  }
}

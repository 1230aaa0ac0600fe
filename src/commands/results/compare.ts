import { Args, Flags, option, runsArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { intervalMethod, mayBeInterval } from '../../cli/parse/interval-method.js'
import { withOptionalValue } from '../../cli/parse/optional-value.js'
import { comparisonOf, tableIn } from '../../cli/results/comparison.js'
import { filterFlags } from '../../cli/results/filters.js'
import { UserError } from '../../errors.js'
import { areGroups, comparePair } from '../../operations/results/compare/compare-pair.js'
import { runsOfOneExperiment } from '../../operations/runs/find-run.js'
import { comparisonJson, comparisonText } from '../../views/results/comparison.js'
import { pairJson, pairText } from '../../views/results/pair.js'

const formats = ['csv', 'md', 'latex'] as const
const format = (description: string, own: string) =>
  Flags.boolean({ description, exclusive: [...formats, 'json'].filter(name => name !== own) })

export default class Compare extends QanatCommand {
  static override summary = 'Compare metrics, a row for each set of parameters'
  static override description =
    'A cell is mean ± standard deviation (number of groups). If several groups have the same parameters, the newest finished one is used, whatever its code. Two groups, such as 4.1 4.7, are shown side by side, with the diff of their code.'
  static override topics = ['comparisons', 'metrics', 'what-counts-in-a-mean']
  static override examples = [
    'qanat compare classify_iris',
    { description: 'Only some of the groups', command: 'qanat compare classify_iris --param rate:0.1 --tag paper' },
    { description: 'Average over the seeds', command: 'qanat compare classify_iris --over seed' },
    {
      description: 'Show which groups of a grid are missing',
      command: 'qanat compare summary_iris -f grid.yaml --over seed',
    },
    {
      description: 'A table for a paper',
      command: 'qanat compare classify_iris --over seed --metrics accuracy:max --latex',
    },
  ]
  static override enableJsonFlag = true
  static override strict = false
  static override args = {
    name: runsArguments.name,
    runs: Args.string({
      shown: 'RUN',
      description: 'runs: 4, 5-9, latest; single groups: 11.2; two groups alone stand side by side: 4.1 4.7',
      completes: 'runs_or_groups',
    }),
  }
  static override flags = {
    ...filterFlags,
    by: option('one row for each combination of these parameters (default: all that vary)', 'parameters'),
    over: option('average over these parameters; without a value: over seeds', 'parameters'),
    metrics: option('show these metrics: acc,loss; acc:max and acc:min are extremes of a metric with steps', 'metrics'),
    sort: option('sort by a metric, a parameter or time; -acc reverses the order', 'comparison_sortings'),
    top: Flags.integer({ min: 1, helpValue: '<n>', description: 'show at most n rows' }),
    all: Flags.boolean({ description: 'show every row' }),
    repeats: Flags.boolean({ description: 'average all groups with equal parameters (otherwise one of them is used)' }),
    param_file: Flags.string({
      char: 'f',
      description: 'a row for each combination in this parameter file, also if it has not run',
      completes: 'files',
    }),
    ci: Flags.string({
      helpValue: '<method>',
      description: '95 % confidence interval of the mean: t (default), bootstrap or bootstrap:SEED',
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
    if (runs.length === 2 && runs.every(word => areGroups([word]))) {
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
    if (format === undefined) this.print(comparisonText(this.screen, comparison, flags.all, ci))
    else {
      const { text, remarks } = tableIn(format, comparison, ci)
      this.print(text)
      for (const remark of remarks) workspace.warn(remark)
    }
    return undefined
  }
}

import { argument, experimentArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { launchAndFollow } from '../../cli/follow/follow-launch.js'
import { runFlags } from '../../cli/parse/line-options.js'
import { registryOf } from '../../cli/parse/registry.js'
import { splitLine } from '../../cli/parse/split-line.js'
import { launchQuestions } from '../../cli/prompts.js'
import type { Standing } from '../../domain/results/comparison/standing.js'
import type { Run } from '../../domain/runs/run.js'
import { mirrorOf } from '../../operations/folder/mirror.js'
import { dryRun } from '../../operations/launch/dry-run.js'
import { launchFill } from '../../operations/launch/fill/fill.js'
import { launchRun } from '../../operations/launch/launch-run.js'
import type { TypedRequest } from '../../operations/launch/request.js'
import { dryRunJson, dryRunLines, nothingToFill, submissionOf } from '../../views/dry-run.js'
import { runJson } from '../../views/json.js'
import { standingJson } from '../../views/results/standing.js'

export default class ExperimentRun extends QanatCommand {
  static override summary = 'Run an experiment, once or over a grid'
  static override description =
    "Before NAME, all options are Qanat's. After NAME, everything is passed to the experiment in order, but for the options of the first list. Everything after a bare -- is passed on, too. The options of the other lists are refused after NAME, except those that the YAML file of the experiment claims, as in passes: [--json]."
  static override usage = '[OPTIONS] NAME [ARGUMENTS OF THE EXPERIMENT]'
  static override topics = ['parameters', 'grow-a-study', 'slurm', 'environment']
  static override examples = [
    'qanat run summary_iris --bins 20',
    { description: 'Ten groups, four at a time', command: 'qanat run summary_iris -R "--seed 0 10 1" --n_threads 4' },
    {
      description: 'Every rate with both numbers of epochs',
      command: 'qanat run -V "--rate 0.1 1" classify_iris -g "--epochs 50" -g "--epochs 100"',
    },
    {
      description: 'Run only what of the grid has no result yet',
      command: 'qanat run --fill -f grid.yaml summary_iris',
    },
    { description: 'Show what would run, and run nothing', command: 'qanat run --dry_run summary_iris -f grid.yaml' },
  ]
  static override strict = false
  static override passesOn = true
  static override enableJsonFlag = true
  static override args = {
    name: experimentArgument,
    arguments: argument('passed to the experiment unchanged', 'script_arguments'),
  }
  static override flags = runFlags

  private wantsJson = this.argv.includes('--json')

  async run(): Promise<unknown> {
    this.parsed = true
    const request = splitLine(this.argv, registryOf(await this.storeLater()))
    const { options } = request
    this.wantsJson = options.json === true
    this.obey(options)
    if (options.dry_run) return this.dryRun(request)
    const ask = this.jsonEnabled() ? null : launchQuestions(options.yes === true, this.quiet)
    let standing: Standing | null = null
    const run = await launchAndFollow<Run | null>(
      this.workspace(options.context),
      async (workspace, interruption) => {
        if (!options.fill) return { run: await launchRun(workspace, request, ask, interruption) }
        const filled = await launchFill(workspace, request, ask, interruption)
        standing = filled.standing
        return filled
      },
      options,
      this.output(),
    )
    const fill = standing === null ? {} : { fill: standingJson(standing) }
    return { ...(run === null ? { id: null } : runJson(run, mirrorOf(await this.workspace(), run))), ...fill }
  }

  /** The experiment may have an option --json, too. Only once the line is split is it known whether ours was given. */
  override jsonEnabled(): boolean {
    return this.wantsJson
  }

  private async dryRun(request: TypedRequest): Promise<unknown> {
    const dry = await dryRun(await this.workspace(request.options.context), request)
    if (!('prepared' in dry)) {
      if (!this.jsonEnabled()) this.print(nothingToFill(dry.standing))
      return { groups: [], fill: standingJson(dry.standing) }
    }
    const submission = submissionOf(dry)
    if (this.jsonEnabled()) return dryRunJson(dry, submission)
    for (const line of dryRunLines(dry, submission)) this.print(line)
    return undefined
  }
}

import { Args } from '@oclif/core'
import { QanatCommand } from '../../cli/base-command.js'
import { followLaunch } from '../../cli/follow/follow-launch.js'
import { Interruption } from '../../cli/follow/interruption.js'
import { requestOf } from '../../cli/parse/launch-options.js'
import { runFlags } from '../../cli/parse/run-flags.js'
import { splitLine } from '../../cli/parse/split-line.js'
import { askForCommit, canAsk } from '../../cli/prompts.js'
import { totalOf } from '../../domain/runs/aggregate.js'
import { InterruptedError, UserError } from '../../errors.js'
import { dryRun } from '../../operations/launch/dry-run.js'
import type { LaunchRequest } from '../../operations/launch/launch-request.js'
import { launchRun } from '../../operations/launch/launch-run.js'
import { runnerNames } from '../../runners/index.js'
import { dryRunLines } from '../../views/dry-run.js'
import { runJson } from '../../views/json.js'

export default class ExperimentRun extends QanatCommand {
  static override summary = 'Run an experiment, once or over a grid of parameters'
  static override description =
    `Options before NAME are Qanat's. After NAME those of the older program (the ones without a remark) are Qanat's wherever they stand, and everything else is passed to the experiment, in order. After the first bare -- everything is passed.`
  static override usage = '[OPTIONS] NAME [ARGUMENTS OF THE EXPERIMENT]'
  static override examples = [
    '<%= config.bin %> run summary_iris --bins 20',
    {
      description: 'Ten groups, four at a time',
      command: '<%= config.bin %> run summary_iris -R "--seed 0 10 1" --n_threads 4',
    },
    {
      description: 'Every model with both rates',
      command: '<%= config.bin %> run -V "--model small large" train -g "--lr 0.1" -g "--lr 0.01"',
    },
    {
      description: 'Show what would run, and run nothing',
      command: '<%= config.bin %> run --dry_run summary_iris -f grid.yaml',
    },
  ]
  static override strict = false
  static override enableJsonFlag = true
  static override args = {
    name: Args.string({ required: true, description: 'the experiment', completes: 'experiments' }),
    arguments: Args.string({ description: 'for the experiment, as they stand', completes: 'files' }),
  }
  static override flags = runFlags

  private wantsJson = this.argv.includes('--json')

  async run(): Promise<unknown> {
    this.parsed = true
    const { options, name, experimentArguments } = splitLine(this.argv, runnerNames)
    this.wantsJson = options.json === true
    if (name === undefined)
      throw new UserError('which experiment?', 'qanat run NAME        (qanat experiment list shows them)')
    const request = requestOf(options, name, experimentArguments, this.argv)
    if (options.dry_run) return this.dryRun(request)
    // Ctrl-C stops a launch at its next step, and what it has made is taken back; later it cancels the run.
    const interruption = new Interruption(new InterruptedError('interrupted; nothing was launched'))
    try {
      const ask = this.jsonEnabled() || !canAsk() ? null : askForCommit
      const workspace = await this.workspace()
      const run = await launchRun(workspace, request, ask, interruption.signal)
      return runJson(await followLaunch(workspace, run, totalOf(run.counts), options, interruption, this.output()))
    } finally {
      interruption.close()
    }
  }

  /** An option of the experiment may be called --json, too: known once the line is split. */
  override jsonEnabled(): boolean {
    return this.wantsJson
  }

  private async dryRun(request: LaunchRequest): Promise<unknown> {
    const { groupCount, groups, prepared } = await dryRun(await this.workspace(), request)
    const commands = prepared.submissions.map(({ command }) => command)
    const files =
      commands.length > 0 ? prepared.files.map(({ path, text }) => ({ path, text: [...text].join('') })) : []
    if (!this.jsonEnabled()) for (const line of dryRunLines({ groupCount, groups, files, commands })) this.print(line)
    const [first = null, ...others] = commands
    const all = others.length > 0 && { submit_commands: commands }
    return { groups: [...groups], submit: files, submit_command: first, ...all }
  }
}

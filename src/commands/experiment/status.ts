import * as Flags from '@oclif/core/flags'
import { experimentArgument } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { redraw } from '../../cli/follow/redraw.js'
import { askedLast, isShown, refreshFlag, runList, runListFlags } from '../../cli/run-list.js'
import { asFarAsStored } from '../../operations/as-far-as-stored.js'
import { mirrorOf } from '../../operations/folder/mirror.js'
import { warnOfPurge } from '../../operations/folder/purge.js'
import { openRuns, refreshRuns } from '../../operations/refresh/refresh-runs.js'
import { findExperiment } from '../../operations/registry/find-experiment.js'
import { brokenDefinitions } from '../../operations/registry/follow-definitions.js'
import type { RunListing } from '../../operations/results/select-runs.js'
import { runPace } from '../../operations/runs/run-pace.js'
import { styleOf } from '../../views/format/style.js'
import { isoTime } from '../../views/format/times.js'
import { experimentJson, listedRunJson } from '../../views/json.js'
import { experimentStatus } from '../../views/registry/experiment.js'
import { lateNote, runsCsv } from '../../views/runs/list.js'

export default class ExperimentStatus extends QanatCommand {
  static override summary = 'Show an experiment and its runs'
  static override topics = ['statuses']
  static override examples = [
    'qanat experiment status summary_iris',
    { description: 'Keep watching, until Ctrl-C', command: 'qanat experiment status summary_iris --live' },
  ]
  static override enableJsonFlag = true
  static override args = {
    name: experimentArgument,
  }
  static override flags = {
    live: Flags.boolean({ description: 'redraw every second, until Ctrl-C' }),
    ...runListFlags,
    refresh: refreshFlag,
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ExperimentStatus)
    const select = runList(flags)
    const workspace = await this.workspace()
    const experiment = findExperiment(workspace, args.name)
    this.warnOfBroken(brokenDefinitions(workspace.store, 'experiment', experiment.name))
    const current = async () => {
      const live = openRuns(workspace).filter(run => run.experiment === experiment.name && isShown(flags, run))
      await asFarAsStored(workspace, () => refreshRuns(workspace, live, flags.refresh ? 0 : undefined))
      return select(workspace, workspace.store.runs.listOf(experiment.name))
    }
    const style = styleOf(process.stdout)
    const text = (listing: RunListing, at: number) =>
      experimentStatus(style, experiment, listing, at, run => runPace(workspace, run, at).left)
    if (flags.live && !this.jsonEnabled()) {
      await redraw(async () => text(await current(), Date.now()))
      return undefined
    }
    const listing = await current()
    const { runs, late } = listing
    if (flags.csv) for (const text of lateNote(late, experiment.name)) workspace.warn(text)
    const now = Date.now()
    warnOfPurge(workspace, runs, now)
    if (!this.jsonEnabled()) {
      this.print(flags.csv ? runsCsv(runs) : text(listing, now))
      return undefined
    }
    return {
      experiment: experimentJson(experiment),
      as_of: isoTime(askedLast(runs, now)),
      runs: runs.map(run => listedRunJson(run, mirrorOf(workspace, run))),
    }
  }
}

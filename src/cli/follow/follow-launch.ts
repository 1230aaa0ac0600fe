import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { describeSubmissions } from '../../operations/runs/submissions.js'
import { absolutePath, type Workspace } from '../../operations/workspace.js'
import { launchText } from '../../views/run.js'
import { followRun } from './follow-run.js'
import { barFollower, outputFollower } from './followers.js'
import type { Interruption } from './interruption.js'
import { reportOutcome } from './report-outcome.js'

/** Where a command prints: its own words, and what a script writes. */
export interface Output {
  print(text: string): void
  readonly scriptOutput: NodeJS.WritableStream
}

/** How long a command stays with what it has launched; without a word as long as its groups are processes of this machine. */
export interface Waiting {
  readonly wait?: boolean
  readonly detach?: boolean
}

/**
 * Says what was launched, and where it is waited for, shows it until it is over.
 * @param groups how many were launched
 * @returns the run as it is then
 */
export async function followLaunch(
  workspace: Workspace,
  run: Run,
  groups: number,
  { wait = false, detach = false }: Waiting,
  interruption: Interruption,
  { print, scriptOutput }: Output,
): Promise<Run> {
  const waits = !detach && (wait || workspace.findRunner(run.runner).kind.evidence === 'processes')
  const { attempts } = workspace.store.runs.submission(run.id)
  const { submitTemplate } = attempts.at(-1) ?? run.runnerParameters
  const launch = { groups, again: attempts.length > 1, submitTemplate, submission: describeSubmissions(workspace, run) }
  print(launchText(run, launch, waits))
  if (!waits) return run
  const single = totalOf(run.counts) === 1
  const follower = single ? outputFollower(absolutePath(workspace, run.storagePath), scriptOutput) : barFollower()
  const ended = await followRun(workspace, run, follower, interruption)
  print(reportOutcome(workspace, ended))
  return ended
}

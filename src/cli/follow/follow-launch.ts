import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { InterruptedError } from '../../errors.js'
import { describeSubmissions } from '../../operations/refresh/submissions.js'
import { absolutePath, isInForeground, runnerOf, type Workspace } from '../../operations/workspace.js'
import { launchText } from '../../views/run.js'
import type { Output } from '../output.js'
import { canAsk } from '../prompts.js'
import { followRun } from './follow-run.js'
import { barFollower, outputFollower, wary } from './followers.js'
import { Interruption } from './interruption.js'
import { reportOutcome } from './report-outcome.js'

/** A run that was submitted, and the number of the attempt (default: 1). */
interface Launched {
  readonly run: Run
  readonly attempt?: number
}

interface NothingLaunched<Known> {
  /** The run that nothing was launched of; null if there is none. */
  readonly run: Known
  readonly nothing: string
}

/** How long a command waits for the run that it launched; by default, until its end if it runs on this machine. */
export interface Waiting {
  readonly wait?: boolean | undefined
  /** Whether it goes on without a question if the first groups all fail. */
  readonly yes?: boolean | undefined
  readonly detach?: boolean | undefined
}

/**
 * Launches groups of a run and follows them if the command waits. During the launch, Ctrl-C stops it at its next step
 * and rolls it back; later, Ctrl-C stops waiting, and cancels groups that run on this machine.
 * @param opening the project, which may still be opening: Ctrl-C is handled from now on
 * @param launch launches; it stops when the signal is aborted
 * @throws InterruptedError after Ctrl-C
 */
export async function launchAndFollow<Known extends Run | null = Run>(
  opening: Promise<Workspace>,
  launch: (workspace: Workspace, interruption: AbortSignal) => Promise<Launched | NothingLaunched<Known>>,
  waiting: Waiting,
  output: Output,
): Promise<Run | Known> {
  const interruption = new Interruption(new InterruptedError('interrupted; the launch was undone'))
  try {
    const workspace = warningOnce(await opening)
    const launched = await launch(workspace, interruption.signal)
    if ('nothing' in launched) {
      output.say(`Nothing to do: ${launched.nothing}`)
      return launched.run
    }
    if (output.quiet) output.print(String(launched.run.id))
    return await followLaunch(workspace, launched, waiting, interruption, output)
  } finally {
    interruption.close()
  }
}

/** The same project. A warning is not shown again, such as one of the launch that is kept with the run, at its end. */
export function warningOnce(workspace: Workspace): Workspace {
  const shown = new Set<string>()
  const warn = (text: string) => {
    if (!shown.has(text)) workspace.warn(text)
    shown.add(text)
  }
  return { ...workspace, warn }
}

/** Reports what was launched and, if the command waits, follows the run to its end. @returns the run as it is then */
export async function followLaunch(
  workspace: Workspace,
  { run, attempt: number = 1 }: Launched,
  { wait = false, detach = false, yes = false }: Waiting,
  interruption: Interruption,
  output: Output,
): Promise<Run> {
  const { say, quiet, scriptOutput } = output
  const waits = !detach && (wait || isInForeground(runnerOf(workspace, run)))
  const total = totalOf(run.counts)
  const attempt = workspace.store.runs.submission(run.id).attempts.find(each => each.attempt === number)!
  const launch = {
    groups: attempt.groups?.length ?? total,
    again: attempt.groups !== null,
    submitTemplate: attempt.submitTemplate,
    submission: describeSubmissions(workspace, run, attempt),
  }
  say(launchText(run, launch, waits))
  if (!waits) return run
  const follower =
    total > 1
      ? wary(workspace, () => barFollower(workspace), !yes && !quiet && scriptOutput === 'stdout' && canAsk())
      : quiet
        ? barFollower(workspace)
        : outputFollower(absolutePath(workspace, run.storagePath), process[scriptOutput])
  const ended = await followRun(workspace, run, follower, interruption)
  reportOutcome(workspace, ended, output, attempt.groups)
  return ended
}

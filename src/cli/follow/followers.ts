import { liveOf } from '../../domain/runs/aggregate.js'
import { failureKey } from '../../domain/runs/cause-label.js'
import { haltOf, type Run } from '../../domain/runs/run.js'
import { cancelRun } from '../../operations/runs/cancel-run.js'
import { type Failure, firstFailures } from '../../operations/runs/failures.js'
import { runPace } from '../../operations/runs/run-pace.js'
import { absolutePath, runnerOf, type Workspace } from '../../operations/workspace.js'
import { reports } from '../../project/config.js'
import { holdStarts } from '../../runfolder/evidence/keeper-file.js'
import { progressBar } from '../../views/progress.js'
import { allFailedText, pausedText } from '../../views/run.js'
import { guardTerminal } from '../guard-terminal.js'
import { askMeanwhile } from '../prompts.js'
import { Tail } from './tail.js'

/** What happens to the screen while a run is followed. */
export interface Follower {
  update(run: Run): void
  /** The run is over, or nobody watches it any more. */
  end(): void | Promise<void>
}

/** Shows the output of a single group as it is written. */
export function outputFollower(storagePath: string, stdout: NodeJS.WritableStream): Follower {
  const tails = [
    new Tail({ path: `${storagePath}/stdout.txt` }, stdout),
    new Tail({ path: `${storagePath}/stderr.txt` }, process.stderr),
  ]
  const pump = () => {
    for (const tail of tails) tail.pump()
  }
  // More often than the run is refreshed, since a person is watching.
  const timer = setInterval(pump, 50)
  return {
    update: pump,
    end() {
      clearInterval(timer)
      pump()
    },
  }
}

/** If a run begins with this many failures and nothing else, its script is probably wrong. */
const suspiciousFailures = 10

/**
 * Adds to a follower a warning, once, if the first groups of a run have all failed with the same error.
 * @param make makes the follower; another one continues after the warning
 * @param asks whether to ask if the run should go on; it is cancelled if not. No groups start meanwhile if Qanat starts them itself
 */
export function wary(workspace: Workspace, make: () => Follower, asks: boolean): Follower {
  const over = new AbortController()
  let follower: Follower | null = make()
  let isCalm = true
  let asked: Promise<void> = Promise.resolve()
  let letStart: (() => void) | null = null
  const ask = async (run: Run) => {
    const dealsSlots = runnerOf(workspace, run).kind.traits.has('dealsSlots')
    if (asks && dealsSlots) letStart = holdStarts(absolutePath(workspace, run.storagePath))
    const live = liveOf(run.counts)
    const meanwhile = dealsSlots ? 'No group starts until you answer' : 'They go on until you answer'
    const question = `Go on with the other ${live === 1 ? 'group' : `${live} groups`}? ${meanwhile}`
    const goesOn = asks ? await askMeanwhile(question, over.signal) : null
    if (goesOn === false) await cancelRun(workspace, run).finally(letStart)
    else if (goesOn) letStart?.()
    if (!over.signal.aborted) follower = make()
  }
  return {
    update(run) {
      const alike = isCalm ? alikeFromTheStart(workspace, run) : null
      if (alike !== null) {
        isCalm = false
        follower?.end()
        follower = null
        workspace.warn(allFailedText(run, alike))
        asked = ask(run).catch((error: Error) => workspace.warn(error.message))
      }
      follower?.update(run)
    },
    end() {
      over.abort()
      letStart?.()
      follower?.end()
      return asked
    },
  }
}

/** The first failure of a run if nothing else has happened, and all have the same error; else null. */
function alikeFromTheStart(workspace: Workspace, run: Run): Failure | null {
  const { finished, failed, pending } = run.counts
  if (finished > 0 || failed < suspiciousFailures || pending === 0) return null
  const failures = firstFailures(workspace, run, suspiciousFailures)
  const keys = new Set(failures.map(({ report, lastError }) => failureKey(report.status, lastError)))
  return keys.size === 1 ? failures[0]! : null
}

/** Shows how many groups are done, on a terminal, and says when the run is paused, so that it does not seem to hang. */
export function barFollower(workspace: Workspace): Follower {
  const isShown = process.stderr.isTTY && reports(workspace.config, 'INFO')
  let bar = isShown ? progressBar(process.stderr) : null
  const leave = isShown ? guardTerminal() : () => {}
  let isPaused = false
  return {
    update(run: Run) {
      const wasPaused = isPaused
      isPaused = haltOf(run) === 'paused'
      if (isPaused && !wasPaused) {
        bar?.stop()
        workspace.warn(pausedText(run))
        bar &&= progressBar(process.stderr)
      }
      const { elapsed, left } = runPace(workspace, run, Date.now())
      bar?.update(run, elapsed, isPaused ? null : left)
    },
    end() {
      bar?.stop()
      leave()
    },
  }
}

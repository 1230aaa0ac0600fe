import { totalOf } from '../../domain/runs/aggregate.js'
import { failureKey } from '../../domain/runs/cause-label.js'
import type { Run } from '../../domain/runs/run.js'
import { firstFailures } from '../../operations/runs/failures.js'
import { runPace } from '../../operations/runs/run-pace.js'
import type { Workspace } from '../../operations/workspace.js'
import { reports } from '../../project/config.js'
import { progressBar } from '../../views/progress.js'
import { allFailedText } from '../../views/run.js'
import type { Follower } from './follow-run.js'
import { Tail } from './tail.js'

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

/** So many failures at the beginning of a run, and nothing else, make its script suspicious. */
const suspiciousFailures = 10

/**
 * Adds to a follower a warning, once, if the first groups of a run have all failed with the same error.
 * @param make makes the follower; another one continues after the warning
 */
export function wary(workspace: Workspace, make: () => Follower): Follower {
  let follower = make()
  let isCalm = true
  return {
    update(run: Run) {
      const { finished, failed, pending } = run.counts
      if (isCalm && finished === 0 && failed >= suspiciousFailures && pending > 0) {
        isCalm = false
        const failures = firstFailures(workspace, run, suspiciousFailures)
        if (new Set(failures.map(({ report, lastError }) => failureKey(report.status, lastError))).size === 1) {
          follower.end()
          workspace.warn(allFailedText(run, failures[0]!))
          follower = make()
        }
      }
      follower.update(run)
    },
    end: () => follower.end(),
  }
}

/** Shows how many groups are done, on a terminal. */
export function barFollower(workspace: Workspace): Follower {
  if (!process.stderr.isTTY || !reports(workspace.config, 'INFO')) return { update() {}, end() {} }
  const bar = progressBar(process.stderr)
  return {
    update(run: Run) {
      const { elapsed, left } = runPace(workspace, run, Date.now())
      bar.update(run.counts, totalOf(run.counts), elapsed, left)
    },
    end: () => bar.stop(),
  }
}

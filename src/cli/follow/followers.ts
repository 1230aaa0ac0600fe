import { totalOf } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import type { Workspace } from '../../operations/workspace.js'
import { reports } from '../../project/config.js'
import { progressBar } from '../../views/progress.js'
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

/** Shows how many groups are done, on a terminal. */
export function barFollower({ config }: Workspace): Follower {
  if (!process.stderr.isTTY || !reports(config, 'INFO')) return { update() {}, end() {} }
  const bar = progressBar(process.stderr)
  return {
    update: (run: Run) => bar.update(run.counts, totalOf(run.counts)),
    end: () => bar.stop(),
  }
}

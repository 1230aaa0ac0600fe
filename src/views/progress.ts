import { SingleBar } from 'cli-progress'
import { totalOf } from '../domain/runs/aggregate.js'
import type { Run } from '../domain/runs/run.js'
import { duration, leftText } from './format/times.js'

/**
 * A bar that shows how many groups of a run are done, and how far the running ones are if their progress files say it; it
 * appears one second after the launch.
 */
export function progressBar(stream: NodeJS.WritableStream) {
  let bar: SingleBar | null = null
  return {
    /** @param elapsed milliseconds since the launch. @param left milliseconds to the end; null if not known */
    update({ counts, progress }: Run, elapsed: number, left: number | null): void {
      const total = totalOf(counts)
      const done = counts.finished + counts.failed + counts.cancelled + counts.lost
      if (bar === null && (elapsed < 1000 || done === total)) return
      // A finished group counts as 100 in the progress of a run, which has one decimal, and one that has failed as 0.
      const begun = Math.max(0, (total * (progress ?? 0)) / 100 - counts.finished)
      const percentage = begun > total / 1000 ? ` (${Math.floor((100 * (done + begun)) / total)}%)` : ''
      const failed = counts.failed > 0 ? ` · ${counts.failed} failed` : ''
      const payload = {
        ...{ done: `${done}/${total}${percentage}${failed}`, elapsed: duration(elapsed) },
        left: left === null ? '' : `, ${leftText(left)}`,
      }
      if (bar === null) {
        bar = new SingleBar({
          stream,
          format: ' {bar}  {done} · {elapsed}{left}',
          barCompleteChar: '━',
          barIncompleteChar: '─',
          hideCursor: true,
          clearOnComplete: true,
          linewrap: true,
        })
        bar.start(total, done + begun, payload)
      } else bar.update(done + begun, payload)
    },
    stop(): void {
      bar?.stop()
    },
  }
}
